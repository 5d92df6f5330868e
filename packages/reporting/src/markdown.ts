import { withoutControls } from "./printable.js";

/** An invisible character that prevents GitHub from turning text into a mention or a link. */
const zeroWidth = "\u200b";

/**
 * Returns untrusted text as one line of GitHub Markdown that shows exactly that text. It contains no markup, HTML,
 * table cells, control characters or bidirectional overrides, and it mentions no one. GitHub looks for `@team`, `#12`
 * and addresses in the rendered text, without backslashes, so a zero-width space follows their first character.
 */
export function markdownText(text: string): string {
  return withoutControls(text.replace(/\s+/g, " ").trim())
    .replace(/[\\`*_[\]<>|~&$#]/g, "\\$&")
    .replace(/^[-+=]/, "\\$&")
    .replace(/^(\d+)([.)])/, "$1\\$2")
    .replace(/@|\\#(?=\d)|GH-(?=\d)/gi, `$&${zeroWidth}`)
    .replace(/:(?=\/\/)|\bwww(?=\.)/gi, `$&${zeroWidth}`);
}

/**
 * Returns untrusted text as a code span, whatever backticks it contains, also inside a table. GitHub finds no mentions
 * in code.
 */
export function markdownCode(text: string): string {
  const line = withoutControls(text.replace(/\s+/g, " ")).replaceAll(
    "|",
    "\\|",
  );
  const runs = line.match(/`+/g) ?? [];
  const fence = "`".repeat(
    runs.reduce((longest, run) => Math.max(longest, run.length), 0) + 1,
  );
  // A backtick at an end would join the fence. And a renderer removes one space if both ends have one.
  const inset = /^`|`$|^ .*[^ ].* $/.test(line) ? " " : "";
  return line === "" ? "" : `${fence}${inset}${line}${inset}${fence}`;
}

/**
 * Returns a table of cells that are already Markdown (see `markdownText`, `markdownCode`), with a newline at its end.
 */
export function markdownTable(
  titles: readonly string[],
  rows: readonly (readonly string[])[],
  align: readonly ("left" | "right")[] = [],
): string {
  const line = (cells: readonly string[]) =>
    `| ${titles.map((_, index) => cells[index] ?? "").join(" | ")} |\n`;
  const rule = titles.map((_, index) =>
    align[index] === "right" ? "--:" : "---",
  );
  return [titles, rule, ...rows].map(line).join("");
}
