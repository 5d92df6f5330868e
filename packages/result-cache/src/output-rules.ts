import { compileInputs } from "@skein/workspaces";

/** Which files of a package are outputs of a script. Paths go from the package's folder. */
export interface OutputRules {
  matches(path: string): boolean;
  /** Tells whether git tracks a file, or does not ignore it. */
  isSource(path: string): boolean;
  /** Folders, or files, that hold every match. */
  readonly bases: readonly string[];
}

/**
 * Compiles the globs of outputs. Pure. The last glob that matches decides; `!glob` excludes.
 * @param sources paths of the package that are no outputs, whatever the globs say
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

/** The parts before the first that has a character of globs. */
function baseOf(glob: string): string {
  const parts = glob.split("/");
  const end = parts.findIndex((part) => /[*?[\]{}()!+@\\]/.test(part));
  return parts.slice(0, end === -1 ? undefined : end).join("/");
}

function isBelow(path: string, folder: string): boolean {
  return path !== folder && (folder === "" || path.startsWith(`${folder}/`));
}
