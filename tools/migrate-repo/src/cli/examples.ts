/** The end of every help text. @param lines commands as they are typed */
export function examples(...lines: readonly string[]): string {
  return `\nExamples:\n${lines.map((line) => `  $ ${line}\n`).join("")}`;
}
