import {
  splitNul,
  parseStatusV2,
  STATUS_ARGS,
  type Git,
  type RefUpdate,
} from "@skein/git";
import { isAncestor } from "../survey/commits.js";
import { exists, isInTheWay, sameBytes } from "./file-moves.js";
import { gitWithIndex } from "./index-file.js";
import type { FileMove, Landing } from "./journal.js";
import { refsMade } from "./refs-made.js";

/** The progress of a landing, and the user's own actions during it. */
export interface LandingProgress {
  /** The updates that have been made and still hold. */
  readonly made: readonly RefUpdate[];
  /** The branch's position: before the landing, at its commit, beyond it, or somewhere that the user moved it to. */
  readonly branch: "old" | "new" | "beyond" | "elsewhere";
  /** Whether the branch is checked out. */
  readonly onBranch: boolean;
  /** The state of the index: as before, as the landing wrote it, or changed by the user. */
  readonly index: "before" | "prepared" | "other";
  /** Whether a file has moved. */
  readonly started: boolean;
}

/** Reads the progress of a landing. Writes nothing. */
export async function readLandingProgress(
  git: Git,
  landing: Landing,
): Promise<LandingProgress> {
  const [made, branch, onBranch, index, started] = await Promise.all([
    refsMade(git, landing.refs),
    branchOf(git, landing),
    isOnBranch(git, landing),
    readIndexState(landing),
    Promise.all(landing.moves.map(isMade)),
  ]);
  return { made, branch, onBranch, index, started: started.some(Boolean) };
}

/** Returns whether a landing's branch is checked out. */
export async function isOnBranch(
  git: Git,
  { branch }: Pick<Landing, "branch">,
): Promise<boolean> {
  const { stdout } = await git.run(["symbolic-ref", "--quiet", "HEAD"], {
    answers: [0, 1],
  });
  return stdout.toString("utf8").trim() === branch;
}

/** Returns whether the commit that a landing makes is checked out, on any branch. */
export async function isAtNewHead(
  git: Git,
  { newHead }: Pick<Landing, "newHead">,
): Promise<boolean> {
  const { stdout } = await git.run(
    ["rev-parse", "--verify", "--quiet", "HEAD"],
    {
      answers: [0, 1],
    },
  );
  return stdout.toString("utf8").trim() === newHead;
}

/** Returns the state of the index. */
export async function readIndexState({
  index,
}: Pick<Landing, "index">): Promise<LandingProgress["index"]> {
  if (await sameBytes(index.path, index.before)) return "before";
  return (await sameBytes(index.path, index.prepared)) ? "prepared" : "other";
}

/** Returns whether a change to the user's files has been made or started. */
export async function isMade(move: FileMove): Promise<boolean> {
  if (move.kind !== "place" && (await exists(move.backup))) return true;
  return move.kind !== "remove" && !(await exists(move.staged));
}

async function branchOf(
  git: Git,
  { branch, oldHead, newHead }: Landing,
): Promise<LandingProgress["branch"]> {
  const { stdout } = await git.run(
    ["rev-parse", "--verify", "--quiet", "--end-of-options", branch],
    { answers: [0, 1] },
  );
  const now = stdout.toString("utf8").trim();
  if (now === oldHead) return "old";
  if (now === newHead) return "new";
  if (now === "" || !(await isAncestor(git, newHead, now))) return "elsewhere";
  // An undo goes back: a branch that holds the commit from before the undo has not been undone.
  const goesBack = await isAncestor(git, newHead, oldHead);
  return goesBack && (await isAncestor(git, oldHead, now))
    ? "elsewhere"
    : "beyond";
}

/**
 * Returns what blocks the moves that still have to be made: files that have changed, and files that have appeared where
 * a new one goes. Paths are relative to the top-level folder.
 */
export async function obstacles(
  git: Git,
  landing: Landing,
): Promise<readonly string[]> {
  const old = [];
  const found = [];
  for (const move of landing.moves) {
    if (await isMade(move)) continue;
    if (move.kind !== "place") old.push(pathOf(move, landing));
    else if (await isInTheWay(move.path)) found.push(pathOf(move, landing));
  }
  const differ = await differing(git, landing, landing.index.before, old);
  return [...differ, ...found];
}

/** The most paths on a command line. With more paths, git compares all files. */
const MOST_PATHS = 200;

/**
 * Returns files that differ from an index or are missing. It compares contents: renaming a file in place changes its
 * times, and `diff-files` looks only at those.
 * @param index the path of the index
 * @param paths files and folders, relative to the top-level folder
 */
export async function differing(
  git: Git,
  landing: Pick<Landing, "topLevel">,
  index: string,
  paths: readonly string[],
): Promise<ReadonlySet<string>> {
  if (paths.length === 0) return new Set();
  const { stdout } = await gitWithIndex(git, landing, index).run([
    ...STATUS_ARGS.filter((arg) => !arg.startsWith("--untracked-files")),
    "--untracked-files=no",
    ...(paths.length > MOST_PATHS ? [] : ["--", ...paths]),
  ]);
  const differ = parseStatusV2(stdout)
    .entries.filter(({ origin }) => origin === "unstaged")
    .map(({ path }) => path);
  const within = belowAny(paths);
  return new Set(differ.filter(within));
}

/** Returns files below some folders that an index doesn't hold, including ignored files. */
export async function unknownFiles(
  git: Git,
  landing: Landing,
  index: string,
  folders: readonly string[],
): Promise<readonly string[]> {
  const found: string[] = [];
  for (let at = 0; at < folders.length; at += MOST_PATHS) {
    const { stdout } = await gitWithIndex(git, landing, index).run([
      ...["ls-files", "-z", "--others", "--"],
      ...folders.slice(at, at + MOST_PATHS),
    ]);
    found.push(...splitNul(stdout));
  }
  return found;
}

/** Returns a predicate: whether a path is one of the given paths or below one. */
export function belowAny(paths: readonly string[]): (path: string) => boolean {
  const all = new Set(paths);
  return (path) => {
    for (let at = path.length; at > 0; at = path.lastIndexOf("/", at - 1))
      if (all.has(path.slice(0, at))) return true;
    return false;
  };
}

/** Returns a move's path relative to the top-level folder, as git names it. */
export function pathOf({ path }: FileMove, { topLevel }: Landing): string {
  return path.slice(topLevel.length + 1);
}
