/**
 * Returns whether the import or export at a place imports types only: `import type { A } from "x"`, `export type * from "x"`,
 * `import { type A, type B } from "x"`. Such an import doesn't exist at run time.
 * @param text the whole file
 * @param line 1-based, of the specifier
 * @param column 1-based, of the specifier, in UTF-16 units
 */
export function isTypeImport(
  text: string,
  { line, column }: { readonly line: number; readonly column: number },
): boolean {
  const lines = text.replace(/^\uFEFF/, "").split("\n");
  const before = [
    ...lines.slice(Math.max(0, line - MOST_LINES), line - 1),
    (lines[line - 1] ?? "").slice(0, column - 1),
  ].join("\n");
  const clause = CLAUSE.exec(before)?.[1];
  if (clause === undefined) return false;
  if (/^type\s+(?!from\b|,)/.test(clause)) return true;
  const names = /^\{([^]*)\}\s*$/.exec(clause)?.[1];
  const each = (names ?? "").split(",").map((name) => name.trim());
  const imported = each.filter((name) => name !== "");
  return (
    imported.length > 0 && imported.every((name) => /^type\s+\S/.test(name))
  );
}

/** The maximum number of lines of one import. Longer lists of names are treated as values. */
const MOST_LINES = 200;

/** The text between the last `import` or `export` at the beginning of a statement and `from "`. */
const CLAUSE =
  /(?:^|[\n;}])\s*(?:import|export)\s+((?:(?!(?:^|[\n;}])\s*(?:import|export)\s)[^"'`;])*?)\s*from\s*["']$/;
