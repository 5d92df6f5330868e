import { splitNul } from "./split-nul.js";

/** The kinds of changes that git reports. A rename is reported as a deletion and an addition. */
export type DiffKind =
  | "added"
  | "modified"
  | "deleted"
  | "type-changed"
  | "unmerged";

/** A path that differs between two trees. */
export interface DiffEntry {
  /** The path from the top of the repository. */
  readonly path: string;
  readonly kind: DiffKind;
  /** Six-digit modes and full object ids. They are absent on a side on which the file doesn't exist. */
  readonly oldMode?: string;
  readonly newMode?: string;
  readonly oldId?: string;
  readonly newId?: string;
}

/** The meanings of git's status letters. */
export const DIFF_KINDS: Readonly<Record<string, DiffKind>> = {
  A: "added",
  M: "modified",
  D: "deleted",
  T: "type-changed",
  U: "unmerged",
};

/** The arguments whose output `parseDiffRaw` reads. Two trees or commits must follow. */
export const DIFF_RAW_ARGS: readonly string[] = [
  "diff-tree",
  "-r", // Lists files instead of their folders.
  "-z", // Prints names without quotes, whatever core.quotePath is.
  "--raw", // Prints modes and ids, not only names.
  "--no-abbrev", // Prints full ids, whatever core.abbrev is.
  "--no-renames", // Overrides diff.renames: a move is a deletion and an addition, so that its source is not lost.
  "--no-relative", // Overrides diff.relative, which hides paths outside the folder.
  "--ignore-submodules=none", // Overrides diff.ignoreSubmodules and submodule.*.ignore.
  "--no-ext-diff", // Overrides diff.external: git runs no program of the user's.
  "--no-textconv", // Overrides the textconv drivers of .gitattributes, for the same reason.
  "--no-color", // Overrides color.ui=always.
  // diff.orderFile, diff.noprefix and diff.mnemonicPrefix don't affect raw output, and the order has no meaning here.
];

/**
 * Parses the output of `diff-tree --raw -z`: a sequence of `:<mode> <mode> <id> <id> <letter>\0<path>\0`.
 * @throws an Error if the bytes have another form, which would be a bug
 */
export function parseDiffRaw(bytes: Buffer): DiffEntry[] {
  const entries: DiffEntry[] = [];
  const fields = splitNul(bytes).values();
  for (const header of fields) {
    const path = fields.next().value;
    const match = /^:(\d{6}) (\d{6}) ([0-9a-f]+) ([0-9a-f]+) ([AMDTU])$/.exec(
      header,
    );
    if (!match || path === undefined)
      throw new Error(`not git's raw diff: ${JSON.stringify(header)}`);
    const [, oldMode = "", newMode = "", oldId = "", newId = "", letter = ""] =
      match;
    entries.push({
      path,
      kind: DIFF_KINDS[letter] ?? "modified",
      ...side("old", oldMode, oldId),
      ...side("new", newMode, newId),
    });
  }
  return entries;
}

/** Returns the mode and id of one side as properties of an entry. A mode or id that consists of zeros is omitted. */
export function side(
  name: "old" | "new",
  mode: string,
  id: string,
): Partial<DiffEntry> {
  const present = mode !== "000000";
  const known = !/^0+$/.test(id);
  return name === "old"
    ? { ...(present && { oldMode: mode }), ...(known && { oldId: id }) }
    : { ...(present && { newMode: mode }), ...(known && { newId: id }) };
}
