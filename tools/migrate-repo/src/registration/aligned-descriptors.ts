import type { StepContext } from "../steps/step.js";
import type { TreeView } from "../tree/draft.js";
import { placedPath } from "../survey/tip.js";
import { parseManifest } from "@skein/workspaces";
import { readFacts } from "./facts.js";

/** Returns descriptors of the newcomers that their manifests in the source don't have: `lodash@npm:^4.17.21`. */
export async function alignedDescriptors(
  view: TreeView,
  context: StepContext,
): Promise<ReadonlySet<string>> {
  const { newcomers } = await readFacts(view, context);
  const atHome = new Map<string, ReadonlySet<string>>();
  for (const file of await context.source.list("")) {
    if (!/(^|\/)package\.json$/.test(file.path)) continue;
    for (const placement of context.placements) {
      const dir = placedPath(placement, file.path)?.replace(
        /\/package\.json$/,
        "",
      );
      if (dir === undefined || !newcomers.some((one) => one.dir === dir))
        continue;
      const text = (await context.source.content(file))?.toString("utf8");
      atHome.set(
        dir,
        new Set(
          parseManifest(text ?? "{}", file.path).dependencies.map(
            ({ ident, range }) => `${ident}@${range}`,
          ),
        ),
      );
    }
  }
  return new Set(
    newcomers.flatMap(({ dir, dependencies }) =>
      dependencies
        .filter(
          ({ ident, range }) => !atHome.get(dir)?.has(`${ident}@${range}`),
        )
        .map(({ ident, range }) =>
          /^[a-z]+:/.test(range)
            ? `${ident}@${range}`
            : `${ident}@npm:${range}`,
        ),
    ),
  );
}
