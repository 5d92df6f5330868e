import { FOREIGN_PROGRAMS } from "@skein/known-tools";
import { PROGRAM_SIGN, type Reference } from "../reference.js";
import type { FileKind } from "./file-kinds.js";

/** A name as a word of a command in quotes, at the beginning of a line, or behind another word. */
const NAME = new RegExp(
  String.raw`(?:^|[\s"'\`;&|(/\\])(${FOREIGN_PROGRAMS.map((name) => name.replace(/^\W+/, "")).join("|")})(?=$|[\s"'\`;&|)])`,
  "gm",
);

/** Returns the programs of other languages that a text names, each once; words of comments and prose are among them. */
export function scanForeignPrograms(
  kind: FileKind,
  text: string,
): readonly Reference[] {
  if (kind === "symlink" || kind === "style" || kind === "markup") return [];
  const names = new Set<string>();
  for (const [, name = ""] of text.matchAll(NAME)) names.add(name);
  return Array.from(names, (name) => ({
    specifier: `${PROGRAM_SIGN}${name}`,
    kind: "variable",
    line: 1,
    column: 1,
  }));
}
