import { splitNul } from "./split-nul.js";

/** The kinds of changes that git reports. A rename is never a kind: it is a deletion and an addition. */
export type DiffKind =
  "added" | "modified" | "deleted" | "type-changed" | "unmerged";

/** One path that differs between two trees. */
export interface DiffEntry {
  /** From the top of the repository. */
  readonly path: string;
  readonly kind: DiffKind;
  /** Six-digit modes and full object ids; absent on the side where there is no file. */
  readonly oldMode?: string;
  readonly newMode?: string;
  readonly oldId?: string;
  readonly newId?: string;
}

/** The words git's letters stand for. */
export const DIFF_KINDS: Readonly<Record<string, DiffKind>> = {
  A: "added",
  M: "modified",
  D: "deleted",
  T: "type-changed",
  U: "unmerged",
};

/** The arguments whose output `parseDiffRaw` reads; two trees or commits are to follow. */
export const DIFF_RAW_ARGS: readonly string[] = [
  "diff-tree",
  "-r", // Files, not the folders they are in.
  "-z", // Names as they are: no quotes, whatever core.quotePath says.
  "--raw", // Modes and ids, not only names.
  "--no-abbrev", // Full ids, whatever core.abbrev says.
  "--no-renames", // Against diff.renames: a move is a deletion and an addition, so that its source is not lost.
  "--no-relative", // Against diff.relative, which hides what is outside the folder.
  "--ignore-submodules=none", // Against diff.ignoreSubmodules and submodule.*.ignore.
  "--no-ext-diff", // Against diff.external: no program of the user's is run.
  "--no-textconv", // The same, for the drivers of .gitattributes.
  "--no-color", // Against color.ui=always.
  // diff.orderFile, diff.noprefix and diff.mnemonicPrefix do not concern raw output; order means nothing here.
];

/**
 * Reads `diff-tree --raw -z`: `:<mode> <mode> <id> <id> <letter>\0<path>\0`, again and again.
 * @throws an Error when the bytes are not of that form, which would be a bug
 */
export function parseDiffRaw(bytes: Buffer): DiffEntry[] {
  const entries: DiffEntry[] = [];
  const fields = splitNul(bytes);
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

/** Mode and id of one side, by the names they have in an entry; nothing where git writes zeros. */
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
