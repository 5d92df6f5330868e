import { parseSync } from "oxc-parser";
import { fileKind } from "./file-kinds.js";
import { scanBytes } from "./scanners.js";

/** One row: a file's path, its text, and `kind specifier line` of each reference (`~` before what is partial). */
export type Row = readonly [path: string, text: string, ...expected: string[]];

/** What is found in a file, told as in a row. */
export function told(path: string, text: string): readonly string[] {
  const kind = fileKind(path, "100644");
  if (!kind) throw new Error(`${path} is not read`);
  return scanBytes(kind, Buffer.from(text), parseSync).references.map(
    ({ kind, specifier, line, partial }) =>
      `${kind} ${partial === true ? "~" : ""}${specifier} ${line}`,
  );
}
