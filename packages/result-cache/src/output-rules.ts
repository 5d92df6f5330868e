import { compileInputs } from "@skein/workspaces";

/** Decides which files of a package are outputs of a script. Paths are relative to the package's folder. */
export interface OutputRules {
  matches(path: string): boolean;
  /** Returns whether git tracks a file, or doesn't ignore it. */
  isSource(path: string): boolean;
  /** Folders or files that contain every match. */
  readonly bases: readonly string[];
}

/**
 * Compiles the globs of outputs. Pure. The last matching glob decides; `!glob` excludes.
 * @param sources paths of the package that aren't outputs, whatever the globs match
 */
export function outputRules(
  globs: readonly string[],
  sources: ReadonlySet<string>,
): OutputRules {
  const included = compileInputs(globs);
  const bases = globs.filter((glob) => !glob.startsWith("!")).map(baseOf);
  return {
    matches: (path) => included(path) ?? false,
    isSource: (path) => sources.has(path),
    bases: [...new Set(bases)].filter(
      (base) => !bases.some((other) => isBelow(base, other)),
    ),
  };
}

/** Returns the parts of a glob before the first one with a special character. */
function baseOf(glob: string): string {
  const parts = glob.split("/");
  const end = parts.findIndex((part) => /[*?[\]{}()!+@\\]/.test(part));
  return parts.slice(0, end === -1 ? undefined : end).join("/");
}

function isBelow(path: string, folder: string): boolean {
  return path !== folder && (folder === "" || path.startsWith(`${folder}/`));
}
