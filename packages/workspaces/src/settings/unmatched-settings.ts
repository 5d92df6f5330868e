import { withinOwner } from "../affected/classify.js";
import { compileGlobs } from "../affected/globs.js";
import type { WorkspaceGraph } from "../graph.js";
import type { Settings } from "./settings.js";

/**
 * Globs of files in skein.json that let something count, and match no file: misspelt, each may leave a package untested.
 * Those that let something count for nothing are not among them: without a match they select more, never less.
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
