/** Lines that a verdict shows of a failed script. */
const LAST_LINES = 20;
const LONGEST_LINE = 300;

/** Sequences that colour a terminal or move its cursor. */
const TERMINAL_CODES = new RegExp(
  `${String.fromCharCode(27)}\\[[\\d;?]*[A-Za-z]`,
  "g",
);

/** Takes the last 20 lines that say something, each of 300 characters at most, without terminal codes. Pure. */
export function lastLines(text: string): readonly string[] {
  return text
    .replaceAll(TERMINAL_CODES, "")
    .split(/\r?\n/)
    .filter((line) => line.trim() !== "")
    .slice(-LAST_LINES)
    .map((line) => line.trimEnd().slice(0, LONGEST_LINE));
}
