import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/** A program that some tests need, and that some machines lack. */
export interface NeededProgram {
  /** Its names on PATH, most common first. */
  readonly names: readonly [string, ...string[]];
  /** An environment variable that may contain its path. */
  readonly variable?: string;
  /** The Debian package that contains it. */
  readonly package: string;
  /** The tests that cannot run without it: `the browser tests`. */
  readonly tests: string;
}

/**
 * Finds a program that tests need: the path in its variable, else the first of its names on PATH.
 * @returns its path; undefined if it wasn't found, with a warning
 * @throws if it wasn't found and all tests must run (SKEIN_ALL_TESTS or CI is set): a test that does not run has failed
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
