import { beginningAndSuffix } from "../reference.js";
import { parseSync } from "oxc-parser";
import { fileKind } from "./file-kinds.js";
import { scanBytes } from "./scanners.js";

/** One row: a file's path, its text, and `kind specifier line` of each reference (`~` before a partial one). */
export type Row = readonly [path: string, text: string, ...expected: string[]];

/** Returns the references of a file in the form of a row. */
export function told(path: string, text: string): readonly string[] {
  const kind = fileKind(path, "100644");
  if (!kind) throw new Error(`${path} is not read`);
  // The row already contains the text of a script. Environment variables and programs have tests of their own.
  return scanBytes(kind, Buffer.from(text), parseSync)
    .references.filter(
      ({ kind }) => !["script-text", "variable", "program"].includes(kind),
    )
    .map(({ kind, specifier, line, partial }) => {
      const [beginning, suffix] = beginningAndSuffix(specifier);
      const end = suffix === "" ? "" : `…${suffix}`;
      return `${kind} ${partial === true ? "~" : ""}${beginning}${end} ${line}`;
    });
}
