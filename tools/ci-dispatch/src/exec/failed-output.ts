import { stripVTControlCharacters } from "node:util";

/** The number of lines of a failed script that a verdict shows. */
const LAST_LINES = 20;
const LONGEST_LINE = 300;

/** Returns the last 20 lines that aren't blank, without escape sequences, and cut to 300 characters each. Pure. */
export function lastLines(text: string): readonly string[] {
  return stripVTControlCharacters(text)
    .split(/\r?\n/)
    .filter((line) => line.trim() !== "")
    .slice(-LAST_LINES)
    .map((line) => line.trimEnd().slice(0, LONGEST_LINE));
}
