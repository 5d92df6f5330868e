import { stripVTControlCharacters } from "node:util";
import { printableLines } from "@skein/reporting";

/** The number of lines of a log that a summary repeats. */
export const TAIL_LINES = 10;

/**
 * Returns the last lines of a script's output, without empty lines at its end. They are safe to print anywhere: they
 * contain no terminal codes, and no line that GitHub Actions would read as a command.
 * @param most the maximum number of lines
 */
export function logTail(text: string, most = TAIL_LINES): readonly string[] {
  const lines = text.trimEnd().split(/\r?\n|\r/);
  return lines
    .slice(-most)
    .map((line) => printableLines(stripVTControlCharacters(line)))
    .filter((line, index) => line !== "" || index > 0);
}
