import { posix } from "node:path";
import type { AffectedSettings, Settings } from "../settings/settings.js";
import { compileGlobs, compileInputs } from "./globs.js";

/** What a file is to the package that owns it. */
export type FileClass = "source" | "test" | "documentation" | "not-an-input";

type Pipeline = Settings["pipeline"];

/** Classifies a path from its owner's folder. */
export type Classifier = (path: string) => FileClass;

/**
 * Compiles the classes of one selection.
 * @param script its `inputs` override the other lists
 * @param pipeline what must run before each script: the `inputs` of those scripts are inputs of this one too, because it
 *   reads what they made
 */
export function openClassifier(
  settings: AffectedSettings,
  script: string | undefined,
  pipeline: Pipeline = {},
): Classifier {
  const isDocumentation = compileGlobs(settings.documentation);
  const isTest = compileGlobs(settings.tests);
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

/** Returns the scripts that a pipeline runs before a script, in the same package or another. */
export function scriptsBefore(
  pipeline: Pipeline,
  script: string | undefined,
): readonly string[] {
  const found = new Set(script === undefined ? [] : [script]);
  // A set hands out what is added while it is walked.
  for (const each of found)
    for (const entry of Object.hasOwn(pipeline, each)
      ? (pipeline[each] ?? [])
      : [])
      found.add(entry.replace(/^\^|^.*#/, ""));
  return [...found].slice(1);
}

/** A path from the root seen from the folder of its owner. */
export function withinOwner(path: string, dir: string): string {
  return dir === "." ? path : posix.relative(dir, path);
}
