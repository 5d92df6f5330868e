/** Renders a Markdown table. All columns except the first are right-aligned. */
export function markdownTable(
  heading: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|").replaceAll("\n", " ")).join(" | ")} |\n`;
  const rule = heading.map((_, index) => (index === 0 ? "---" : "---:"));
  return [heading, rule, ...rows].map(line).join("");
}
