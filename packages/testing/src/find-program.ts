import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/** A program that some tests need, and that not every machine has. */
export interface NeededProgram {
  /** Its names on PATH, likeliest first. */
  readonly names: readonly [string, ...string[]];
  /** A variable that may hold its path. */
  readonly variable?: string;
  /** Debian's package of it. */
  readonly package: string;
  /** What cannot run without it: `the browser tests`. */
  readonly tests: string;
}

/**
 * Finds a program that tests need: the one that its variable names, else the first of its names on PATH.
 * @returns its path; undefined where there is none, which a warning says
 * @throws where there is none, and all tests are asked for (SKEIN_ALL_TESTS or CI is set): a test that does not run has
 *   failed
 */
export function findProgram(
  { names, variable, package: debian, tests }: NeededProgram,
  env: Readonly<Record<string, string | undefined>> = process.env,
): string | undefined {
  const named = variable === undefined ? undefined : env[variable];
  const candidates =
    named === undefined
      ? (env["PATH"] ?? "")
          .split(delimiter)
          .flatMap((dir) => names.map((name) => join(dir, name)))
      : [named];
  const found = candidates.find(isExecutable);
  if (found !== undefined) return found;
  const places = [...(variable === undefined ? [] : [variable]), "PATH"];
  const sentence = `No ${names[0]} was found (${places.join(", ")}): ${tests} cannot run. On Debian: apt-get install ${debian}`;
  if (isSet(env["SKEIN_ALL_TESTS"]) || isSet(env["CI"]))
    throw new Error(sentence);
  console.warn(`\n!!! ${sentence}\n`);
  return undefined;
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && !["", "0", "false"].includes(value);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
