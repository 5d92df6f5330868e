import { posix } from "node:path";
import type { AffectedSettings } from "../settings/settings.js";
import { compileGlobs, compileInputs } from "./globs.js";

/** What a file is to the package that owns it. */
export type FileClass = "source" | "test" | "documentation" | "not-an-input";

/** Classifies a path from its owner's folder. */
export type Classifier = (path: string) => FileClass;

/** Compiles the classes of one selection. @param script its `inputs` override the other lists */
export function openClassifier(
  settings: AffectedSettings,
  script: string | undefined,
): Classifier {
  const isDocumentation = compileGlobs(settings.documentation);
  const isTest = compileGlobs(settings.tests);
  const isInput = compileInputs(
    script !== undefined && Object.hasOwn(settings.inputs, script)
      ? (settings.inputs[script] ?? [])
      : [],
  );
  return (path) => {
    const input = isInput(path);
    if (input === false) return "not-an-input";
    if (isTest(path)) return "test";
    return input === undefined && isDocumentation(path)
      ? "documentation"
      : "source";
  };
}

/** A path from the root seen from the folder of its owner. */
export function withinOwner(path: string, dir: string): string {
  return dir === "." ? path : posix.relative(dir, path);
}
