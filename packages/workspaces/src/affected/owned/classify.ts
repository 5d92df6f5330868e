import { posix } from "node:path";
import type { AffectedSettings, Settings } from "../../settings/settings.js";
import { compileGlobs, compileInputs, compileTests } from "../globs.js";

/** The role of a file in the package that owns it. */
export type FileClass = "source" | "test" | "documentation" | "not-an-input";

type Pipeline = Settings["pipeline"];

/** Classifies a path from its owner's folder. */
export type Classifier = (path: string) => FileClass;

/**
 * Compiles the classes of one selection.
 * @param script its `inputs` override the other lists
 * @param pipeline the scripts that must run before each script: their `inputs` are inputs of this script too, because it
 *   reads their results
 */
export function openClassifier(
  settings: AffectedSettings,
  script: string | undefined,
  pipeline: Pipeline = {},
): Classifier {
  const isDocumentation = compileGlobs(settings.documentation);
  const isTest = compileTests(settings.tests);
  const isInput = compileInputs(
    script !== undefined && Object.hasOwn(settings.inputs, script)
      ? (settings.inputs[script] ?? [])
      : [],
  );
  const before = scriptsBefore(pipeline, script).flatMap((each) =>
    Object.hasOwn(settings.inputs, each)
      ? [compileInputs(settings.inputs[each] ?? [])]
      : [],
  );
  return (path) => {
    const input = before.some((matches) => matches(path) === true)
      ? true
      : isInput(path);
    if (input === false) return "not-an-input";
    if (isTest(path)) return "test";
    return input === undefined && isDocumentation(path)
      ? "documentation"
      : "source";
  };
}

/**
 * Returns the scripts that a pipeline runs before a script, in the same package or another.
 * @param workspace only what surely runs before the script of this package, or, in this package, before that of a dependent.
 *   Default: what runs before it in any package
 */
export function scriptsBefore(
  pipeline: Pipeline,
  script: string | undefined,
  workspace?: string,
): readonly string[] {
  const found = new Set(script === undefined ? [] : [script]);
  // Iteration over a set includes elements that are added during it.
  for (const each of found)
    for (const word of wordsOf(pipeline, each, workspace)) {
      const [, name, before = ""] = /^(?:\^|(.+?)#)?([^]*)$/.exec(word) ?? [];
      if (name === undefined || workspace === undefined || name === workspace)
        found.add(before);
    }
  return [...found].slice(1);
}

/** Returns what a script waits for in a package: an entry for the package replaces that of the script. */
function wordsOf(
  pipeline: Pipeline,
  script: string,
  workspace: string | undefined,
): readonly string[] {
  const entries = Object.entries(pipeline);
  if (workspace === undefined)
    return entries.flatMap(([key, words]) =>
      key === script || key.endsWith(`#${script}`) ? words : [],
    );
  const [, words = []] =
    entries.find(([key]) => key === `${workspace}#${script}`) ??
    entries.find(([key]) => key === script) ??
    [];
  return words;
}

/** Returns a path from the root relative to its owner's folder. */
export function withinOwner(path: string, dir: string): string {
  return dir === "." ? path : posix.relative(dir, path);
}
