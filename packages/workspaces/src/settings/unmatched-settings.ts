import { withinOwner } from "../affected/owned/classify.js";
import { compileGlobs } from "../affected/globs.js";
import type { WorkspaceGraph } from "../graph.js";
import type { Settings } from "./settings.js";

/**
 * Returns globs of files in skein.json that make files count but match none. A misspelt one may leave a package
 * untested. Globs that exclude files are not checked: without a match they only select more.
 * @param paths every file's, from the project's root
 */
export function unmatchedSettings(
  { affected }: Pick<Settings, "affected">,
  graph: Pick<WorkspaceGraph, "ownerOf">,
  paths: readonly string[],
): { readonly field: string; readonly glob: string }[] {
  const inputs = Object.entries(affected.inputs).flatMap(([script, globs]) =>
    globs
      .filter((glob) => !glob.startsWith("!"))
      .map((glob) => ({ field: `affected.inputs.${script}`, glob })),
  );
  const unowned = affected.unowned
    .filter(([, effect]) => effect !== "nothing")
    .map(([glob]) => ({ field: "affected.unowned", glob }));
  return [
    ...inputs.filter(({ glob }) => {
      const matches = compileGlobs([glob]);
      return !paths.some((path) =>
        matches(withinOwner(path, graph.ownerOf(path).dir)),
      );
    }),
    ...unowned.filter(({ glob }) => !paths.some(compileGlobs([glob]))),
  ];
}
