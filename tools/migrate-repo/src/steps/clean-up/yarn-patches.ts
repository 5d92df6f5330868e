import { stepOf, type StepContext } from "../step.js";
import type { TreeView } from "../../tree/draft.js";
import { textOf } from "./manifest/package-files.js";

/** Updates the paths of patches for dependencies. */
export const yarnPatches = stepOf({
  id: "yarn-patches",
  why: "`~/` in a patch's address is the project's root, which was the package's folder",
  find,
  what: (edits) =>
    [...edits.keys()].map(
      (path) => `${path}: patch:…#~/ now begins at the package`,
    ),
  async apply(draft, edits) {
    for (const [path, text] of edits) await draft.write(path, text);
    return [];
  },
});

async function find(
  view: TreeView,
  { placements }: StepContext,
): Promise<ReadonlyMap<string, string>> {
  const edits = new Map<string, string>();
  for (const { to } of placements) {
    const path = `${to}/package.json`;
    const text = await textOf(view, path);
    if (text === undefined) continue;
    const repaired = text.replace(
      /(patch:[^"#]*#)([^"]*)/g,
      (_, source: string, patches: string) => source + reanchor(patches, to),
    );
    if (repaired !== text) edits.set(path, repaired);
  }
  return edits;
}

/**
 * Points a patch to the package's folder. In a patch's address, `~/` is the project's root, which was the package's own
 * folder; flags (`optional!`) may precede it.
 */
function reanchor(patches: string, to: string): string {
  return patches
    .split("&")
    .map((patch) => patch.replace(/^((?:[\w-]+!)*)~\//, `$1~/${to}/`))
    .join("&");
}
