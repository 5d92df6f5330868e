import type { Git } from "@skein/git";
import { GitError } from "@skein/git";
import { Failure, printable } from "@skein/reporting";
import { parseEvents } from "./event.js";
import type { HistoryEvent } from "./event.js";
import { dayOfFile, unpackDay } from "./days.js";

/** Where the history lives. */
export interface HistoryBranch {
  /** A remote's name or address. */
  readonly remote: string;
  /** Full ref name: `refs/heads/ci-history`. */
  readonly ref: string;
}

/** The branch at one point in time. */
export interface Tip {
  /** Undefined where there is no such branch yet. */
  readonly commit: string | undefined;
  /** Blob ids by file name. */
  readonly files: ReadonlyMap<string, string>;
  /** What else lies there, as git lists it: folders, links, programs. It is carried along. */
  readonly others: readonly string[];
}

const NO_TIP: Tip = { commit: undefined, files: new Map(), others: [] };

/**
 * Fetches the branch, without writing a ref, the index or a file: its objects come, and nothing names them.
 * @throws {GitError} when the remote cannot be read
 */
export async function fetchTip(
  git: Git,
  { remote, ref }: HistoryBranch,
): Promise<Tip> {
  const said = await git.run(["ls-remote", "--end-of-options", remote, ref]);
  const line = said.stdout
    .toString("utf8")
    .split("\n")
    .find((each) => each.endsWith(`\t${ref}`));
  const commit = line?.split("\t")[0];
  if (commit === undefined) return NO_TIP;
  const { stdout: shallow } = await git.run([
    "rev-parse",
    "--is-shallow-repository",
  ]);
  await git.run([
    "fetch",
    // Only the files matter. A clone that has all commits is not made one that lacks some.
    ...(shallow.toString("utf8").trim() === "true" ? ["--depth=1"] : []),
    "--quiet",
    "--no-tags",
    "--no-write-fetch-head",
    "--no-auto-gc",
    "--refmap=",
    "--end-of-options",
    remote,
    ref,
  ]);
  return tipAt(git, commit);
}

/**
 * Fetches the branch for a command that is about nothing else.
 * @throws {Failure} where the repository has no remote of that name, or the remote cannot be read
 */
export async function askForTip(git: Git, branch: HistoryBranch): Promise<Tip> {
  try {
    return await fetchTip(git, branch);
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    const { stdout } = await git.run(["remote"]);
    const isKnown = stdout.toString("utf8").split("\n").includes(branch.remote);
    const isName = /^[\w.-]+$/.test(branch.remote);
    if (isName && !isKnown)
      throw new Failure(
        `this repository has no remote called ${branch.remote}, and ${branch.ref} is read from there`,
        {
          hint: "name another with --remote; events can also be kept in a folder: `ci-dispatch metrics sync --to FOLDER`, then --store FOLDER",
          cause: error,
        },
      );
    throw new Failure(
      `${branch.ref} of ${printable(branch.remote)} cannot be read: ${error.stderr.trim().split("\n", 1)[0] ?? ""}`,
      { cause: error },
    );
  }
}

/**
 * The branch as the last fetch of the repository left it: what there is where its remote cannot be asked, as in the
 * checkout of a private repository that kept no credentials.
 */
export async function fetchedTip(
  git: Git,
  { remote, ref }: HistoryBranch,
): Promise<Tip> {
  const tracking = `refs/remotes/${remote}/${ref.replace("refs/heads/", "")}`;
  const { exitCode, stdout } = await git.run(
    ["rev-parse", "--verify", "--quiet", "--end-of-options", tracking],
    { answers: [0, 1] },
  );
  return exitCode === 0 ? tipAt(git, stdout.toString("utf8").trim()) : NO_TIP;
}

async function tipAt(git: Git, commit: string): Promise<Tip> {
  const { stdout } = await git.run(["ls-tree", "-z", commit]);
  const files = new Map<string, string>();
  const others: string[] = [];
  for (const entry of stdout.toString("utf8").split("\0")) {
    const [, id, name] = /^100644 blob (\S+)\t(.*)$/s.exec(entry) ?? [];
    if (id !== undefined && name !== undefined) files.set(name, id);
    else if (entry !== "") others.push(entry);
  }
  return { commit, files, others };
}

/** What the branch holds, and what of it could not be read. */
export interface BranchEvents {
  readonly events: readonly HistoryEvent[];
  readonly malformed: number;
  /** Files that are no gzip. */
  readonly broken: readonly string[];
}

/** Reads all events of the branch. What is broken is passed over and named: history is only ever a hint. */
export async function readBranch(git: Git, tip: Tip): Promise<BranchEvents> {
  const events: HistoryEvent[] = [];
  const broken: string[] = [];
  let malformed = 0;
  for (const [name, id] of tip.files) {
    if (dayOfFile(name) === undefined) continue;
    const text = unpackDay(await blob(git, id));
    if (text === undefined) {
      broken.push(name);
      continue;
    }
    const parsed = parseEvents(text);
    events.push(...parsed.events);
    malformed += parsed.malformed;
  }
  return { events, malformed, broken };
}

/** The bytes of a blob. */
export async function blob(git: Git, id: string): Promise<Buffer> {
  return (await git.run(["cat-file", "blob", id])).stdout;
}

export interface UpdateOptions {
  readonly message: string;
  /** Waits so many milliseconds. */
  readonly sleep: (ms: number) => Promise<void>;
  /** From 0 to 1, another one each time: writers that met once shall not meet again. */
  readonly random: () => number;
}

/** Ten writers that all meet each other are through after so many tries. */
const TRIES = 12;
const STEP_MS = 250;

/**
 * Changes the branch by plumbing alone: no checkout, no index, no ref but the remote-tracking one. Where another writer was quicker, the
 * change is made anew on top of what they wrote; nothing is ever forced over it.
 * @param change the files that differ, and their new bytes; undefined for a file that goes
 * @returns the branch's new commit, or its old one where nothing differs
 * @throws {Failure} when others were quicker every time
 */
export async function updateBranch(
  git: Git,
  branch: HistoryBranch,
  change: (tip: Tip) => Promise<ReadonlyMap<string, Buffer | undefined>>,
  { message, sleep, random }: UpdateOptions,
): Promise<string | undefined> {
  for (let turn = 1; turn <= TRIES; turn++) {
    const tip = await fetchTip(git, branch);
    const changed = await change(tip);
    if (changed.size === 0) return tip.commit;
    const commit = await commitFiles(git, tip, changed, message);
    if (await push(git, branch, tip, commit)) return commit;
    await sleep(STEP_MS * turn * (0.5 + random()));
  }
  throw new Failure(`${branch.ref} changed under every one of ${TRIES} tries`, {
    hint: "nothing was lost; run it again",
  });
}

async function commitFiles(
  git: Git,
  tip: Tip,
  changed: ReadonlyMap<string, Buffer | undefined>,
  message: string,
): Promise<string> {
  const files = new Map(tip.files);
  for (const [name, bytes] of changed) {
    if (bytes === undefined) files.delete(name);
    else
      files.set(name, await word(git, ["hash-object", "-w", "--stdin"], bytes));
  }
  const entries = [...files].map(([name, id]) => `100644 blob ${id}\t${name}`);
  const listing = [...entries, ...tip.others]
    .map((entry) => `${entry}\0`)
    .join("");
  const tree = await word(git, ["mktree", "-z"], listing);
  return word(git, [
    "-c",
    "user.name=ci-dispatch",
    "-c",
    "user.email=ci-dispatch@users.noreply.github.com",
    "commit-tree",
    "--no-gpg-sign",
    "-m",
    message,
    ...(tip.commit === undefined ? [] : ["-p", tip.commit]),
    tree,
  ]);
}

/** @returns false where somebody else was quicker */
async function push(
  git: Git,
  { remote, ref }: HistoryBranch,
  tip: Tip,
  commit: string,
): Promise<boolean> {
  const { exitCode, stderr, stdout } = await git.run(
    [
      "push",
      "--porcelain",
      "--no-verify",
      // The branch must stand where we have read it, or still not be there.
      `--force-with-lease=${ref}:${tip.commit ?? ""}`,
      "--end-of-options",
      remote,
      `${commit}:${ref}`,
    ],
    { answers: [0, 1] },
  );
  if (exitCode === 0) return true;
  // With --porcelain a ref that was refused has a line of its own; anything else is no matter of who was quicker.
  if (/^!\t/m.test(stdout.toString("utf8"))) return false;
  throw new GitError(["push"], exitCode, stderr);
}

async function word(
  git: Git,
  args: readonly string[],
  input?: string | Buffer,
): Promise<string> {
  const { stdout } = await git.run(args, input === undefined ? {} : { input });
  return stdout.toString("utf8").trim();
}
