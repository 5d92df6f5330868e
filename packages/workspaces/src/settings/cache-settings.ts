import { checkNames, object, quoted, strings, whole } from "./readers.js";
import type { At, Reader } from "./readers.js";

/** Which results are kept and replayed. */
export interface CacheSettings {
  /** Environment variables that change results, besides those that scripts and sources name. */
  readonly env: readonly string[];
  /** By script; a script that is missing has `defaultScriptCache`. */
  readonly scripts: Readonly<Record<string, ScriptCache>>;
}

/** How results of one script are kept; `false`: not at all. */
export type ScriptCache =
  | false
  | {
      /** Globs, from the package's folder, of what the script writes. */
      readonly outputs: readonly string[];
      /** How long a result is used, in seconds; undefined for no limit. */
      readonly maxAgeSeconds: number | undefined;
    };

/** What holds where skein.json says nothing. */
export const defaultCache: CacheSettings = { env: [], scripts: {} };

/** Scripts that report on sources, and write nothing that others read. */
const CACHED = new Set(["test", "lint", "typecheck"]);

/** Returns how results of a script are kept. Pure. A script that may write files is kept only if skein.json names it. */
export function scriptCache(
  { scripts }: CacheSettings,
  script: string,
): ScriptCache {
  if (Object.hasOwn(scripts, script)) return scripts[script] ?? false;
  return CACHED.has(script) && { outputs: [], maxAgeSeconds: undefined };
}

/** Reads the section `cache`: `env`, and any other name is a script. @throws {SettingsError} */
export function readCache(value: unknown, at: At): CacheSettings {
  if (value === undefined) return defaultCache;
  const { env, ...scripts } = object(value, at);
  return {
    env: env === undefined ? [] : names(env, at.member("env")),
    scripts: Object.fromEntries(
      Object.entries(scripts).map(([name, script]) => [
        name,
        readScript(script, at.member(name)),
      ]),
    ),
  };
}

const names: Reader<readonly string[]> = (value, at) =>
  strings(value, at).every((name) => /^[A-Za-z_]\w*$/.test(name))
    ? strings(value, at)
    : at.fail(`${quoted(at)} must be a list of names of environment variables`);

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

/** Outputs are deleted and restored, so a glob must not leave the package. */
const readOutputs: Reader<readonly string[]> = (value, at) =>
  strings(value, at).every((glob) => OUTPUT.test(glob))
    ? strings(value, at)
    : at.fail(
        `${quoted(at)} must be globs below the package's folder, without "." and ".." as parts`,
      );

/** Parts between single slashes, none of which is `.` or `..`; perhaps behind `!`. The schema has the same. */
const OUTPUT =
  /^!?(?!\.{1,2}(?:\/|$))[^/!][^/]*(?:\/(?!\.{1,2}(?:\/|$))[^/]+)*$/;
