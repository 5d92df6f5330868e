import { inertLog } from "./actions.js";

// Controls (C0, DEL, C1), the line and paragraph separators, and the characters that reorder the text after them.
const unprintable =
  // The rule no-control-regex reads control characters in a pattern as a mistake, so they are built from their numbers.
  new RegExp(
    `[${[
      [0x00, 0x1f],
      [0x7f, 0x9f],
      [0x061c, 0x061c],
      [0x200e, 0x200f],
      [0x2028, 0x202e],
      [0x2066, 0x2069],
      [0xfeff, 0xfeff],
    ]
      .map((range) => range.map((code) => String.fromCharCode(code)).join("-"))
      .join("")}]`,
    "g",
  );

const short: Readonly<Record<string, string>> = {
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
};

/**
 * Returns untrusted text (a file name, a branch, a title) as one safe line for a terminal or a log. Control characters,
 * escape sequences and bidirectional overrides are shown as `\n`, `\t`, `\u001b`. Text at the start of a line cannot
 * become a workflow command.
 */
export function printable(text: string): string {
  return inertLog(withoutControls(text));
}

/** Shows control characters and bidirectional overrides of a text as `\n`, `\t` or `\u001b`. */
export function withoutControls(text: string): string {
  return text.replace(
    unprintable,
    (char) =>
      short[char] ?? `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Makes text of several lines printable. Tabs, which git uses for indentation, become spaces. */
export function printableLines(text: string): string {
  return text.replaceAll("\t", "  ").split("\n").map(printable).join("\n");
}

/** Returns the first texts, safe to print, and the number of the others: `a, b and 3 more`. */
export function some(texts: readonly string[], most = 5): string {
  const shown = texts.slice(0, most).map(printable).join(", ");
  const rest = texts.length - most;
  return rest > 0 ? `${shown} and ${rest} more` : shown;
}
