import { resolve } from "node:path";
import { Failure, systemWords } from "@skein/reporting";
import { Malformed, parse } from "@skein/reporting/json";
import { readPlainFile } from "../plain-file.js";
import { UNIT_STATES, VERDICT, type Verdict } from "../verdict.js";

/**
 * Reads a verdict file.
 * @param file relative to `cwd`, or absolute
 * @throws {Failure} if the file doesn't exist, or isn't a verdict of version 1
 */
export async function readVerdict(cwd: string, file: string): Promise<Verdict> {
  try {
    return parseVerdict(await readPlainFile(resolve(cwd, file)));
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === "ENOENT";
    if (!isMissing && !(error instanceof Malformed)) throw error;
    const what = isMissing
      ? "the verdict cannot be read"
      : "this isn't a verdict of version 1";
    throw new Failure(`${what}: ${systemWords(error)}`, {
      place: { file },
      hint: "create it with `ci-dispatch verdict --report FILE`",
    });
  }
}

/**
 * Parses a verdict. It may come from an artifact, so every member is checked, and its colour must match its units.
 * @throws {Malformed} if it isn't a verdict of version 1
 */
export function parseVerdict(text: string): Verdict {
  const verdict = parse(text, VERDICT, "verdict");
  checkConsistent(verdict);
  return verdict;
}

function checkConsistent({ units, counts, colour, exitCode }: Verdict): void {
  for (const state of UNIT_STATES)
    if (counts[state] !== units.filter((unit) => unit.state === state).length)
      throw new Malformed(`verdict.counts.${state} is not that of its units`);
  const red = counts.failed + counts.missing > 0;
  if ((colour === "red") !== red || (exitCode !== 0) !== red)
    throw new Malformed("verdict.colour is not that of its units");
}
