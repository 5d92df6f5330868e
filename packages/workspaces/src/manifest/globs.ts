import picomatch from "picomatch";

/** Tells whether a folder is a workspace by a manifest's `workspaces` globs. */
export type FolderMatcher = (dir: string) => boolean;

/**
 * Compiles `workspaces` globs as Yarn reads them (globby 11): a folder is in if a glob matches it and no `!glob` that
 * stands later in the list does; folders of dependencies and of git are never in; `*` matches no leading dot.
 * @param globs relative to the folder that holds the manifest
 * @returns a matcher of folders relative to that same folder, `/` between their parts
 */
export function compileWorkspaceGlobs(globs: readonly string[]): FolderMatcher {
  const compiled = globs.map((glob) => {
    const negated = glob.startsWith("!");
    const pattern = (negated ? glob.slice(1) : glob)
      .replace(/^\.\//, "")
      .replace(/\/+$/, "");
    return { negated, matches: picomatch(pattern) };
  });
  const rules = compiled.flatMap(({ negated, matches }, index) =>
    negated
      ? []
      : [
          {
            matches,
            unless: compiled.slice(index).filter((other) => other.negated),
          },
        ],
  );
  return (dir) =>
    !/(^|\/)(node_modules|\.git|\.yarn)(\/|$)/.test(dir) &&
    rules.some(
      ({ matches, unless }) =>
        matches(dir) && !unless.some((other) => other.matches(dir)),
    );
}
