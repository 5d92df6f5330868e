import type { Out } from "./run-cli.js";
import { displayWidth } from "./width.js";

/**
 * The maximum indentation of continued lines, such as the column of the value in ` history graft: 3 commits`. A larger
 * one would leave too little space.
 */
const MOST_INDENT = 24;

/**
 * Breaks lines that are wider than the terminal at spaces, and indents the rest below the text that it continues.
 * Words, and commands in backticks, are not broken, so that they can be copied.
 * @param columns of the terminal; if undefined or fewer than 40, the text is returned unchanged
 */
export function wrapWords(text: string, columns: number | undefined): string {
  if (columns === undefined || columns < 40) return text;
  return text
    .split("\n")
    .map((line) => (displayWidth(line) <= columns ? line : wrap(line, columns)))
    .join("\n");
}

/** Prints text for people. In a terminal, lines break at spaces. */
export function writeWords(out: Out, text: string): void {
  out.write(wrapWords(text, out.isTTY ? out.columns : undefined));
}

function wrap(line: string, columns: number): string {
  const [label = ""] = /^\s*(?:\S+ {2,}|hint: |[-*] )?/.exec(line) ?? [];
  const width = Math.min(displayWidth(label), MOST_INDENT);
  // Without a label, the rest is indented, so that it doesn't look like the next line.
  const hang = " ".repeat(label.trim() === "" ? width + 2 : width);
  return wrappedLines(line, columns, { label, hang }).join("\n");
}

/**
 * Breaks a line at spaces.
 * @param parts its `label` is the beginning of the line, which isn't broken; `hang` precedes each further line
 */
export function wrappedLines(
  line: string,
  columns: number,
  { label = "", hang = "" } = {},
): string[] {
  const lines: string[] = [];
  let current = label;
  let isEmpty = true;
  for (const word of line.slice(label.length).match(/(?:`[^`]*`|\S)+/g) ?? []) {
    if (!isEmpty && displayWidth(`${current} ${word}`) > columns) {
      lines.push(current);
      current = hang;
      isEmpty = true;
    }
    current += isEmpty ? word : ` ${word}`;
    isEmpty = false;
  }
  return [...lines, current];
}
