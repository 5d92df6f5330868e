import { resolve } from "node:path";
import { parseKeptReport, type KeptReport } from "@skein/delivery-metrics";
import { readRegularText, usageFailure, systemWords } from "@skein/reporting";

/**
 * Reads a report that `metrics report --json` wrote.
 * @param file relative to `cwd`, or absolute
 * @throws {Failure} if the file doesn't exist, or isn't a report of version 1
 */
export async function readKeptReport(
  cwd: string,
  file: string,
): Promise<KeptReport> {
  const text = await readRegularText(resolve(cwd, file)).catch(
    (error: unknown) => {
      throw usageFailure(`cannot be read: ${systemWords(error)}`, {
        place: { file },
        hint: "name a file that `ci-dispatch metrics report --json` wrote",
      });
    },
  );
  const kept = parseKeptReport(parseJson(text));
  if (!kept)
    throw usageFailure("this isn't a report of version 1", {
      place: { file },
      hint: "create it with `ci-dispatch metrics report --json`",
    });
  return kept;
}

/**
 * Parses JSON.
 * @returns undefined if the text isn't JSON
 */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
