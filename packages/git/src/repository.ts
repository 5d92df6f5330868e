import { resolve } from "node:path";
import { RepositoryError } from "./errors.js";
import { openGit, type Git, type OpenGitOptions } from "./git.js";
import type { KeptAnswers } from "./kept/kept-answers.js";
import { canBeRef } from "./refs.js";

/** A git repository, and the facts about it that all commands need. */
export interface Repository {
  /** Git at the top level, or in the git folder if there is no working tree. */
  readonly git: Git;
  /** The top of the working tree, absolute; undefined for a bare repository. */
  readonly topLevel: string | undefined;
  /** The requested folder relative to the top: "" or with a final `/`. */
  readonly prefix: string;
  /** This worktree's git folder, absolute. */
  readonly gitDir: string;
  /** The git folder that all worktrees share, absolute. */
  readonly commonDir: string;
  readonly isShallow: boolean;
  readonly objectFormat: "sha1" | "sha256";
  /** The commit of HEAD; undefined before the first commit. */
  readonly head: string | undefined;
  /** Git's further answers, if they were requested. */
  readonly known: KnownOfHead;
}

/**
 * Answers about HEAD that are nearly always needed next. One process returns them with the other facts. If an answer is
 * missing here, the thing may still exist.
 */
export interface KnownOfHead {
  /** The merge bases of HEAD and `OpenRepositoryOptions.mergeBase`. */
  readonly mergeBase?: CommonHistory;
  /** The id of the requested folder's tree at HEAD. */
  readonly tree?: string;
  /**
   * The ids at HEAD of `OpenRepositoryOptions.files`, up to the first file that doesn't exist. That one is undefined,
   * and the files after it are unknown.
   */
  readonly blobs: ReadonlyMap<string, string | undefined>;
}

/** The common history of HEAD and another commit. */
export interface CommonHistory {
  /** The ref as requested. */
  readonly ref: string;
  readonly commit: string;
  /** The full name of the ref, or of the ref that it refers to; undefined if it is an expression instead of a ref. */
  readonly target: string | undefined;
  /** All their merge bases; empty if the clone's history contains none. */
  readonly bases: readonly string[];
}

export interface OpenRepositoryOptions extends OpenGitOptions {
  /** A ref that HEAD will probably be compared with. It may not exist. Text that cannot be a ref is ignored. */
  readonly mergeBase?: string;
  /** Files below the folder that will probably be needed. Files that certainly exist come first. */
  readonly files?: readonly string[];
  /** Git's cached answers about HEAD and `mergeBase`. */
  readonly answers?: KeptAnswers | undefined;
}

/**
 * Finds the repository that a folder belongs to, with one git process, or with none if the answer is cached.
 *
 * Inside a hook, git uses GIT_DIR for the repository and treats the current folder as the top of the working tree. That
 * is wrong in a sub-folder: every path would be wrong. So if the folder itself belongs to the same repository, Skein
 * finds the repository from the folder instead.
 * @throws {RepositoryError} `git-not-installed`, `no-such-folder`, `not-a-repository`, `dubious-ownership`
 */
export async function openRepository(
  options: OpenRepositoryOptions,
): Promise<Repository> {
  const { GIT_DIR, ...rest } = options.env;
  if (!GIT_DIR || options.env["GIT_WORK_TREE"]) return survey(options);
  const [named, found] = await Promise.allSettled([
    survey(options),
    survey({ ...options, env: rest }),
  ]);
  if (found.status === "rejected") return settle(named);
  if (named.status === "rejected") return found.value;
  return named.value.gitDir === found.value.gitDir ? found.value : named.value;
}

function settle<T>(result: PromiseSettledResult<T>): T {
  if (result.status === "fulfilled") return result.value;
  throw result.reason;
}

// rev-parse repeats a flag that it doesn't recognise. These flags separate the answers, so that a folder's name may
// contain a newline.
const ENDS = ["--end-1", "--end-2", "--end-3", "--end-4"] as const;

const FACTS: readonly string[] = [
  "rev-parse",
  "--is-shallow-repository",
  "--show-object-format",
  "--absolute-git-dir",
  ENDS[0],
  "--git-common-dir",
  ENDS[1],
  "--show-prefix",
  ENDS[2],
  "--show-toplevel", // The last answer in a bare repository.
  ENDS[3],
  "--revs-only", // A missing ref then has no answer instead of an error. It also ends the list.
  "HEAD",
];

const ANSWER = new RegExp(
  String.raw`^(true|false)\n(sha1|sha256)\n([^]*)\n${ENDS[0]}\n([^]*)\n${ENDS[1]}\n([^]*)\n${ENDS[2]}\n` +
    String.raw`(?:([^]*)\n${ENDS[3]}\n([^]*))?$`,
);

async function survey(options: OpenRepositoryOptions): Promise<Repository> {
  const asked = questionsOf(options);
  const question = [...FACTS, ...asked.args];
  const { answers, ...place } = options;
  const kept = answers?.get(question);
  const { stdout, stderr, exitCode } = kept
    ? { stdout: kept, stderr: "", exitCode: 0 }
    : await openGit(place).run(question, { answers: [0, 128] });
  const match = ANSWER.exec(stdout.toString("utf8"));
  if (!match) throw refused(options.cwd, stderr.trim());
  const [, shallow, format, gitDir = "", common = "", prefix = ""] = match;
  const [topLevel, rest = ""] = match.slice(6);
  const [head, ...ids] = rest.split("\n").filter(Boolean);
  const known = readKnown(ids, asked);
  if (!kept && exitCode === 0) {
    answers?.confirm(head, known.mergeBase?.commit);
    answers?.put(question, stdout);
  }
  const git = openGit({
    ...place,
    cwd: topLevel ?? gitDir,
    env: pinned(options.env, { gitDir, topLevel }),
  });
  return {
    git,
    topLevel,
    prefix,
    gitDir,
    commonDir: resolve(options.cwd, common),
    isShallow: shallow === "true",
    objectFormat: format === "sha256" ? "sha256" : "sha1",
    head: topLevel === undefined ? await headOf(git) : head,
    known,
  };
}

interface Asked {
  readonly args: readonly string[];
  readonly mergeBase: string | undefined;
  readonly files: readonly string[];
}

/** Returns questions about HEAD that the same process can answer. */
function questionsOf({ mergeBase, files = [] }: OpenRepositoryOptions): Asked {
  const base =
    mergeBase !== undefined && canBeRef(mergeBase) && !mergeBase.startsWith("-")
      ? mergeBase
      : undefined;
  return {
    args: [
      ...(base === undefined ? [] : [`${base}^{commit}...HEAD`]),
      "HEAD:./",
      ...files.map((file) => `HEAD:./${file}`),
      ...(base === undefined ? [] : ["--symbolic-full-name", base]),
    ],
    mergeBase: base,
    files,
  };
}

/** Parses the answer to `questionsOf`. For `a...b` git prints b, a, and `^` before each merge base. */
function readKnown(lines: readonly string[], asked: Asked): KnownOfHead {
  const ids = [...lines];
  const last = ids.at(-1);
  const target = last?.startsWith("refs/") ? ids.pop() : undefined;
  let mergeBase: CommonHistory | undefined;
  if (asked.mergeBase !== undefined) {
    const [, commit] = ids.splice(0, 2);
    const first = ids.findIndex((id) => !id.startsWith("^"));
    const bases = ids.splice(0, first < 0 ? ids.length : first);
    if (commit !== undefined)
      mergeBase = {
        ref: asked.mergeBase,
        commit,
        target,
        bases: bases.map((id) => id.slice(1)),
      };
  }
  const [tree, ...blobs] = ids;
  const answered = tree === undefined ? 0 : blobs.length + 1;
  return {
    ...(mergeBase && { mergeBase }),
    ...(tree !== undefined && { tree }),
    blobs: new Map(
      asked.files.slice(0, answered).map((file, index) => [file, blobs[index]]),
    ),
  };
}

async function headOf(git: Git): Promise<string | undefined> {
  const { stdout } = await git.run(["rev-parse", "--revs-only", "HEAD"]);
  return stdout.toString("latin1").trim() || undefined;
}

function refused(cwd: string, message: string): RepositoryError {
  const kind = message.includes("detected dubious ownership")
    ? "dubious-ownership"
    : "not-a-repository";
  return new RepositoryError({ kind, cwd, message });
}

/** Makes the paths in the environment absolute: a relative GIT_DIR would be wrong in the new folder. */
function pinned(
  env: OpenGitOptions["env"],
  { gitDir, topLevel }: Pick<Repository, "gitDir" | "topLevel">,
): OpenGitOptions["env"] {
  if (!env["GIT_DIR"]) return env;
  return {
    ...env,
    GIT_DIR: gitDir,
    ...(topLevel !== undefined && { GIT_WORK_TREE: topLevel }),
  };
}
