import { checkNames, object, quoted, strings, whole } from "./readers.js";
import type { At, Reader } from "./readers.js";

/** The settings for cached results. */
export interface CacheSettings {
  /** Environment variables that influence results, besides those in scripts and sources. */
  readonly env: readonly string[];
  /** Environment variables that change no result, although sources name them. */
  readonly ignoredEnv: readonly string[];
  /** The settings by script. `scriptCache` has the defaults for other scripts. */
  readonly scripts: Readonly<Record<string, ScriptCache>>;
}

/** The cache settings of one script; `false` if its results are not cached. */
export type ScriptCache =
  | false
  | {
      /** Globs of the script's output files, from the package's folder. */
      readonly outputs: readonly string[];
      /** The maximum age of a result in seconds; undefined for no limit. */
      readonly maxAgeSeconds: number | undefined;
    };

/** The settings if skein.json has no section `cache`. */
export const defaultCache: CacheSettings = {
  env: [],
  ignoredEnv: [],
  scripts: {},
};

/** Scripts that report on sources and write no files that others read. */
const CACHED = new Set(["test", "lint", "typecheck"]);

/**
 * Returns the cache settings of a script. Pure. A script that may write files is cached only if skein.json lists it.
 */
export function scriptCache(
  { scripts }: CacheSettings,
  script: string,
): ScriptCache {
  if (Object.hasOwn(scripts, script)) return scripts[script] ?? false;
  return CACHED.has(script) && { outputs: [], maxAgeSeconds: undefined };
}

/**
 * Reads the section `cache`: `env`, and any other name is a script.
 * @throws {SettingsError}
 */
export function readCache(value: unknown, at: At): CacheSettings {
  const { env, ...scripts } = object(value, at);
  const listed = env === undefined ? [] : names(env, at.member("env"));
  return {
    env: listed.filter((name) => !name.startsWith("!")),
    ignoredEnv: listed
      .filter((name) => name.startsWith("!"))
      .map((name) => name.slice(1)),
    scripts: Object.fromEntries(
      Object.entries(scripts).map(([name, script]) => [
        name,
        readScript(script, at.member(name)),
      ]),
    ),
  };
}

const names: Reader<readonly string[]> = (value, at) =>
  strings(value, at).every((name) => /^!?[A-Za-z_]\w*$/.test(name))
    ? strings(value, at)
    : at.fail(
        `${quoted(at)} must be a list of names of environment variables, with "!" before those that change no result`,
      );

const readScript: Reader<ScriptCache> = (value, at) => {
  if (value === false) return false;
  if (value === true) return { outputs: [], maxAgeSeconds: undefined };
  const script = object(value, at);
  checkNames(script, ["outputs", "maxAgeSeconds"], at);
  const { outputs, maxAgeSeconds } = script;
  return {
    outputs:
      outputs === undefined ? [] : readOutputs(outputs, at.member("outputs")),
    maxAgeSeconds:
      maxAgeSeconds === undefined
        ? undefined
        : whole(1, 31_536_000)(maxAgeSeconds, at.member("maxAgeSeconds")),
  };
};

/** Checks that globs stay inside the package, because outputs are deleted and restored. */
const readOutputs: Reader<readonly string[]> = (value, at) =>
  strings(value, at).every((glob) => OUTPUT.test(glob))
    ? strings(value, at)
    : at.fail(
        `${quoted(at)} must be globs below the package's folder, without "." and ".." as parts`,
      );

/**
 * Parts separated by single slashes, none of which is `.` or `..`, optionally after `!`. The schema has the same
 * pattern.
 */
const OUTPUT =
  /^!?(?!\.{1,2}(?:\/|$))[^/!][^/]*(?:\/(?!\.{1,2}(?:\/|$))[^/]+)*$/;
