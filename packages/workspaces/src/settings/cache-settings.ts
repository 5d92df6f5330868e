import {
  object,
  optional,
  quoted,
  recordOf,
  section,
  setting,
  strings,
  whole,
  type Reader,
  type Section,
  type ValuesOf,
} from "./readers.js";

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
export type ScriptCache = false | ValuesOf<typeof cachedScript>;

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
  return CACHED.has(script) && cachedScript.defaults;
}

const names: Reader<readonly string[]> = (value, at) =>
  strings(value, at).every((name) => /^!?[A-Za-z_]\w*$/.test(name))
    ? strings(value, at)
    : at.fail(
        `${quoted(at)} must be a list of names of environment variables, with "!" before those that change no result`,
      );

const readScript: Reader<ScriptCache> = (value, at) => {
  if (value === false) return false;
  if (value === true) return cachedScript.defaults;
  return cachedScript.read(value, at);
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

const cachedScript = section({
  /** Globs of the script's output files, from the package's folder. */
  outputs: setting(readOutputs, []),
  /** The maximum age of a result in seconds; undefined for no limit. */
  maxAgeSeconds: optional(whole(1, 31_536_000)),
});

/** The section `cache`: `env`, and any other name is a script. */
export const CACHE: Section<CacheSettings> = {
  defaults: { env: [], ignoredEnv: [], scripts: {} },
  read: (value, at) => {
    const { env, ...scripts } = object(value, at);
    const listed = env === undefined ? [] : names(env, at.member("env"));
    return {
      env: listed.filter((name) => !name.startsWith("!")),
      ignoredEnv: listed
        .filter((name) => name.startsWith("!"))
        .map((name) => name.slice(1)),
      scripts: recordOf(readScript)(scripts, at),
    };
  },
};
