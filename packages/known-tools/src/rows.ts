/** Returns the rows of a table: a row continues on lines that are indented by four spaces, and `#` begins a comment. */
export function rowsOf(table: string): readonly string[] {
  return table
    .replaceAll(/^ *#.*$|\n {4}/gm, " ")
    .split("\n")
    .map((row) => row.trim())
    .filter((row) => row !== "");
}
