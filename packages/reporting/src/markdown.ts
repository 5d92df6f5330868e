import { withoutControls } from "./printable.js";

/** Breaks what GitHub would turn into a mention or a link, and is not seen. */
const zeroWidth = "\u200b";

/**
 * Untrusted text as one line of GitHub Markdown that shows exactly that text: no markup, no HTML, no table cell of its
 * own, no character that controls or reorders, and nobody is mentioned: GitHub looks for `@team`, `#12` and addresses
 * in the rendered text, where a backslash is
 * gone already, so a zero-width space is put behind their first character.
 */
export function markdownText(text: string): string {
  return withoutControls(text.replace(/\s+/g, " ").trim())
    .replace(/[\\`*_[\]<>|~&$#]/g, "\\$&")
    .replace(/^[-+=]/, "\\$&")
    .replace(/^(\d+)([.)])/, "$1\\$2")
    .replace(/@|\\#(?=\d)|GH-(?=\d)/gi, `$&${zeroWidth}`)
    .replace(/:(?=\/\/)|\bwww(?=\.)/gi, `$&${zeroWidth}`);
}

/** Untrusted text as a code span, whatever backticks it holds; inside a table too. Code mentions nobody. */
export function markdownCode(text: string): string {
  const line = withoutControls(text.replace(/\s+/g, " ")).replaceAll(
    "|",
    "\\|",
  );
  const runs = line.match(/`+/g) ?? [];
  const fence = "`".repeat(
    runs.reduce((longest, run) => Math.max(longest, run.length), 0) + 1,
  );
  // A backtick at an end would join the fence; and one space at both ends is taken off again by the renderer.
  const inset = /^`|`$|^ .*[^ ].* $/.test(line) ? " " : "";
  return line === "" ? "" : `${fence}${inset}${line}${inset}${fence}`;
}

/** Returns a table of cells that are Markdown already (see `markdownText`, `markdownCode`); a newline at its end. */
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
