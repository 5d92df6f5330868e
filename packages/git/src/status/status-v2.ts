import { DIFF_KINDS, side, type DiffEntry } from "../diff-raw.js";
import { splitNul } from "../split-nul.js";

/** A difference that `git status` reports. A path can occur twice: staged, and changed again since. */
export interface StatusEntry extends DiffEntry {
  readonly origin: "staged" | "unstaged" | "untracked";
}

/** The result of `git status`. */
export interface Status {
  /** The commit that git compared with; undefined before the first commit. */
  readonly head: string | undefined;
  readonly entries: readonly StatusEntry[];
  /**
   * A word that identifies the names in all folders that git doesn't ignore. The names include ignored ones. If two answers
   * have the same word, no folder gained or lost an entry in between. Undefined if git didn't check the folders.
   */
  readonly folders?: string | undefined;
}

/** The arguments whose output `parseStatusV2` reads. */
export const STATUS_ARGS: readonly string[] = [
  "status",
  "--porcelain=v2", // Prints modes and ids; overrides status.short, status.branch, status.relativePaths, color.ui.
  "-z", // Prints names without quotes, from the top of the repository, whatever core.quotePath is.
  "--branch", // Prints the commit that git compared with: HEAD may have moved since it was read.
  "--no-ahead-behind", // Overrides status.aheadBehind: counting commits takes time, and Skein doesn't use the count.
  "--untracked-files=all", // Overrides status.showUntrackedFiles; lists each file of a new folder, not only the folder.
  "--ignored=no", // Ignored files are never changes.
  "--ignore-submodules=none", // Overrides diff.ignoreSubmodules: a submodule with changed or new files has changed.
  "--no-renames", // Overrides status.renames and diff.renames: see DIFF_RAW_ARGS.
];

const OID = /^# branch\.oid ([0-9a-f]+)$/;
const ORDINARY =
  /^1 ([.MADT])([.MADT]) .{4} (\d{6}) (\d{6}) (\d{6}) ([0-9a-f]+) ([0-9a-f]+) ([^]+)$/;
const UNMERGED =
  /^u .. .{4} (\d{6}) (\d{6}) (\d{6}) (\d{6}) ([0-9a-f]+) ([0-9a-f]+) ([0-9a-f]+) ([^]+)$/;

/**
 * Parses the output of `status --porcelain=v2 -z` (git-status(1), "Porcelain Format Version 2").
 * An untracked repository inside this one is listed without its final slash, like a submodule.
 * @throws an Error if the bytes have another form, which would be a bug
 */
export function parseStatusV2(bytes: Buffer): Status {
  let head: string | undefined;
  const entries: StatusEntry[] = [];
  for (const line of splitNul(bytes)) {
    switch (line.charAt(0)) {
      case "#":
        head = OID.exec(line)?.[1] ?? head;
        break;
      case "?":
        entries.push(untracked(line.slice(2)));
        break;
      case "1":
        entries.push(...ordinary(line));
        break;
      case "u":
        entries.push(unmerged(line));
        break;
      default:
        throw notStatus(line);
    }
  }
  return { head, entries };
}

/** The arguments whose output `parseOthers` reads; pathspecs may follow. */
export const OTHERS_ARGS: readonly string[] = [
  "ls-files",
  "-z",
  "--others",
  "--exclude-standard",
];

/** Parses the output of `ls-files -z --others`: the untracked files. */
export function parseOthers(bytes: Buffer): StatusEntry[] {
  return splitNul(bytes).map(untracked);
}

/** Returns the entry of an untracked path. Git prints a folder, such as a nested repository, with a final slash. */
function untracked(path: string): StatusEntry {
  return {
    path: path.replace(/\/$/, ""),
    kind: "added",
    origin: "untracked",
  };
}

function* ordinary(line: string): Generator<StatusEntry> {
  const match = ORDINARY.exec(line);
  if (!match) throw notStatus(line);
  const [, inIndex = "", onDisk = "", headMode = "", indexMode = ""] = match;
  const [, , , , , diskMode = "", headId = "", indexId = "", path = ""] = match;
  if (inIndex !== ".") {
    yield {
      path,
      kind: DIFF_KINDS[inIndex] ?? "modified",
      origin: "staged",
      ...side("old", headMode, headId),
      ...side("new", indexMode, indexId),
    };
  }
  if (onDisk !== ".") {
    yield {
      path,
      kind: DIFF_KINDS[onDisk] ?? "modified",
      origin: "unstaged",
      ...side("old", indexMode, indexId),
      ...side("new", diskMode, "0"), // A file on disk has no id yet.
    };
  }
}

function unmerged(line: string): StatusEntry {
  const match = UNMERGED.exec(line);
  if (!match) throw notStatus(line);
  // Stage 2 is ours. It doesn't exist if we deleted the file, or both sides did.
  const [, , ourMode = "", , diskMode = "", , ourId = "", , path = ""] = match;
  return {
    path,
    kind: "unmerged",
    origin: "unstaged",
    ...side("old", ourMode, ourId),
    ...side("new", diskMode, "0"),
  };
}

function notStatus(line: string): Error {
  return new Error(`not git's status: ${JSON.stringify(line)}`);
}
