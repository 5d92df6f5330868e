import { splitNul, GitError, type Git } from "@skein/git";
import { unpackText } from "@skein/metrics-store";
import { Failure, printable } from "@skein/reporting";
import { parseEvents, type HistoryEvent } from "./event.js";
import { dayOfFile } from "./days.js";

/** The branch that stores the history. */
export interface HistoryBranch {
  /** The name or the address of a remote. */
  readonly remote: string;
  /** The full name of the ref: `refs/heads/ci-history`. */
  readonly ref: string;
}

/** Returns the branch as people name it: `the branch ci-history`. */
export function branchWords({ ref }: HistoryBranch): string {
  return `the branch ${ref.replace(/^refs\/heads\//, "")}`;
}

/** The branch at one point in time. */
export interface Tip {
  /** Undefined if the branch doesn't exist yet. */
  readonly commit: string | undefined;
  /** Blob ids by file name. */
  readonly files: ReadonlyMap<string, string>;
  /** Other entries as git lists them: folders, links, executables. Updates preserve them. */
  readonly others: readonly string[];
}

const NO_TIP: Tip = { commit: undefined, files: new Map(), others: [] };

/**
 * Fetches the objects of the branch. It writes no ref, index or file.
 * @throws {GitError} if the remote is unreachable
 */
export async function fetchTip(
  git: Git,
  { remote, ref }: HistoryBranch,
): Promise<Tip> {
  const listed = await git.run(["ls-remote", "--end-of-options", remote, ref]);
  const line = listed.stdout
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
    // Only the files matter. But this must not turn a complete clone into a shallow one.
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
 * Fetches the branch for a command that needs nothing else.
 * @throws {Failure} if the repository has no remote of this name, or the remote is unreachable
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
        `this repository has no remote called ${branch.remote}, and ${branchWords(branch)} is read from there`,
        {
          hint: "name another with --remote; events can also be stored in a folder: `ci-dispatch metrics sync --to FOLDER`, then --store FOLDER",
          cause: error,
        },
      );
    throw new Failure(
      `${branchWords(branch)} of ${printable(branch.remote)} cannot be read: ${error.stderr.trim().split("\n", 1)[0] ?? ""}`,
      { cause: error },
    );
  }
}

/**
 * Returns the branch as of the repository's last fetch. It is the fallback if the remote is unreachable, as in the
 * checkout of a private repository that stored no credentials.
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
  for (const entry of splitNul(stdout)) {
    const [, id, name] = /^100644 blob (\S+)\t(.*)$/s.exec(entry) ?? [];
    if (id !== undefined && name !== undefined) files.set(name, id);
    else others.push(entry);
  }
  return { commit, files, others };
}

/** The events of the branch, and its unreadable parts. */
export interface BranchEvents {
  readonly events: readonly HistoryEvent[];
  readonly malformed: number;
  /** Files that aren't valid gzip. */
  readonly broken: readonly string[];
}

/** Reads all events of the branch. It skips broken files and returns their names, because history is only a hint. */
export async function readBranch(git: Git, tip: Tip): Promise<BranchEvents> {
  const events: HistoryEvent[] = [];
  const broken: string[] = [];
  let malformed = 0;
  for (const [name, id] of tip.files) {
    if (dayOfFile(name) === undefined) continue;
    const text = unpackText(name, await blob(git, id));
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

/** Returns the bytes of a blob. */
export async function blob(git: Git, id: string): Promise<Buffer> {
  return (await git.run(["cat-file", "blob", id])).stdout;
}

export interface UpdateOptions {
  readonly message: string;
  /** Waits for this many milliseconds. */
  readonly sleep: (ms: number) => Promise<void>;
  /** Returns a random number from 0 to 1, so that colliding writers don't collide again. */
  readonly random: () => number;
}

/** The number of tries. It is enough for ten writers that all collide. */
const TRIES = 12;
const STEP_MS = 250;

/**
 * Changes the branch with git's plumbing commands: no checkout, no index, no ref except the remote-tracking one. If
 * another writer was faster, it repeats the change on top of theirs. It never overwrites their commits.
 * @param change the files that differ, and their new bytes; undefined for a deleted file
 * @returns the branch's new commit, or its old one if nothing differs
 * @throws {Failure} if others were faster every time
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
  throw new Failure(
    `${branchWords(branch)} changed during each of ${TRIES} attempts`,
    {
      hint: "nothing was lost; retry the command",
    },
  );
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

/**
 * Pushes a commit.
 * @returns false if another writer was faster
 */
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
      // The branch must be at the commit that we have read, or still not exist.
      `--force-with-lease=${ref}:${tip.commit ?? ""}`,
      "--end-of-options",
      remote,
      `${commit}:${ref}`,
    ],
    { answers: [0, 1] },
  );
  if (exitCode === 0) return true;
  // With --porcelain, git prints a line for a rejected ref. Any other failure has nothing to do with other writers.
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
