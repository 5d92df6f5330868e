/** The number of lines of a failed script that a verdict shows. */
const LAST_LINES = 20;
const LONGEST_LINE = 300;

/** Escape sequences that set a terminal's colours or move its cursor. */
const TERMINAL_CODES = new RegExp(
  `${String.fromCharCode(27)}\\[[\\d;?]*[A-Za-z]`,
  "g",
);

/** Returns the last 20 lines that aren't blank, without escape sequences, and cut to 300 characters each. Pure. */
export function lastLines(text: string): readonly string[] {
  return text
    .replaceAll(TERMINAL_CODES, "")
    .split(/\r?\n/)
    .filter((line) => line.trim() !== "")
    .slice(-LAST_LINES)
    .map((line) => line.trimEnd().slice(0, LONGEST_LINE));
}
