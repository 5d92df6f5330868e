import { stripVTControlCharacters } from "node:util";
import { printableLines } from "@skein/reporting";

/** Lines of a log that a summary repeats. */
export const TAIL_LINES = 10;

/**
 * Returns the last lines of what a script printed, without empty lines at its end. They are safe to print anywhere: no
 * terminal codes, and no line that GitHub Actions would read as a command.
 * @param most at most so many lines
 */
export function logTail(text: string, most = TAIL_LINES): readonly string[] {
  const lines = text.trimEnd().split(/\r?\n|\r/);
  return lines
    .slice(-most)
    .map((line) => printableLines(stripVTControlCharacters(line)))
    .filter((line, index) => line !== "" || index > 0);
}
