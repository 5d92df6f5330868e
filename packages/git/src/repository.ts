import { resolve } from "node:path";
import { RepositoryError } from "./errors.js";
import { openGit } from "./git.js";
import type { Git, OpenGitOptions } from "./git.js";

/** A git repository, and the facts about it that everything starts from. */
export interface Repository {
  /** Runs at the top level (in the git folder, where there is no working tree). */
  readonly git: Git;
  /** The top of the working tree, absolute; undefined for a bare repository. */
  readonly topLevel: string | undefined;
  /** The folder that was asked about, from the top: "" or with a final `/`. */
  readonly prefix: string;
  /** This worktree's git folder, absolute. */
  readonly gitDir: string;
  /** The git folder that all worktrees share, absolute. */
  readonly commonDir: string;
  readonly isShallow: boolean;
  readonly objectFormat: "sha1" | "sha256";
  /** The commit of HEAD; undefined before the first one. */
  readonly head: string | undefined;
  /** What the current branch follows, as a full ref name (`refs/remotes/fork/main`); undefined if nothing. */
  readonly upstream: string | undefined;
}

/**
 * Finds the repository that a folder belongs to, by one git process.
 *
 * Inside a hook, git names the repository by GIT_DIR and takes the current folder for the top of the working tree.
 * In a sub-folder that is wrong (every path would be): there, when the folder's own repository is the same one, it is
 * found from the folder instead.
 * @throws {RepositoryError} `git-not-installed`, `no-such-folder`, `not-a-repository`, `dubious-ownership`
 */
export async function openRepository(
  options: OpenGitOptions,
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

// rev-parse repeats a flag it doesn't know: with these between, a folder with a newline in its name stays one.
const ENDS = ["--end-1", "--end-2", "--end-3", "--end-4"] as const;

const QUESTION: readonly string[] = [
  "rev-parse",
  "--is-shallow-repository",
  "--show-object-format",
  "--absolute-git-dir",
  ENDS[0],
  "--git-common-dir",
  ENDS[1],
  "--show-prefix",
  ENDS[2],
  "--show-toplevel", // Ends it in a bare repository.
  ENDS[3],
  "--revs-only", // Before the first commit, HEAD is then no answer instead of an error.
  "HEAD",
  "--symbolic-full-name",
  "@{upstream}", // Ends it where the branch follows nothing: so it comes last.
];

const ANSWER = new RegExp(
  String.raw`^(true|false)\n(sha1|sha256)\n([^]*)\n${ENDS[0]}\n([^]*)\n${ENDS[1]}\n([^]*)\n${ENDS[2]}\n` +
    String.raw`(?:([^]*)\n${ENDS[3]}\n(?:([0-9a-f]{40,64})\n)?(?:(refs/.*)\n)?)?$`,
);

async function survey(options: OpenGitOptions): Promise<Repository> {
  const { stdout, stderr } = await openGit(options).run(QUESTION, {
    answers: [0, 128],
  });
  const match = ANSWER.exec(stdout.toString("utf8"));
  if (!match) throw refused(options.cwd, stderr.trim());
  const [, shallow, format, gitDir = "", common = "", prefix = ""] = match;
  const [topLevel, head, upstream] = match.slice(6);
  const git = openGit({
    ...options,
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
    upstream,
  };
}

async function headOf(git: Git): Promise<string | undefined> {
  const { stdout } = await git.run(["rev-parse", "--revs-only", "HEAD"]);
  return stdout.toString("latin1").trim() || undefined;
}

function refused(cwd: string, said: string): RepositoryError {
  const kind = said.includes("detected dubious ownership")
    ? "dubious-ownership"
    : "not-a-repository";
  return new RepositoryError({ kind, cwd, said });
}

/** Where the environment names the repository by a path from the old folder, it must still name it from the new one. */
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
