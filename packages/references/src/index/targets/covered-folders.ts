import { dirOf, isWithin } from "../../resolve.js";
import { KIND_TRAITS } from "../kinds.js";
import type { Layer } from "../layer.js";
import type { Layout } from "../layout.js";

/**
 * Returns whether a row that means a folder which no package owns may mean any file in it. A single name from the root means
 * only packages.
 */
export function mayCoverAny(
  layer: Layer,
  row: number,
  folder: string,
  layout: Layout,
): boolean {
  if (!layer.isPartial(row)) return false;
  const isName =
    layer.kind(row) === "root-guess" && folder !== "" && dirOf(folder) === "";
  return !isName || layout.holdsWorkspaces(folder);
}

/** Returns whether a row that means a folder means everything in it. */
export function coversFolder(
  layer: Layer,
  row: number,
  folder: string,
  layout: Layout,
): boolean {
  const { takesFolders, isGuess } = KIND_TRAITS[layer.kind(row)];
  const partial = layer.isPartial(row);
  if (!partial && !takesFolders) return false;
  if (partial && !isGuess) return true;
  return !isAbove(layer, row, folder, layout);
}

/** Returns whether a row is a guess at the folder of its package, or at one above. */
export function isGuessAbove(
  layer: Layer,
  row: number,
  folder: string,
  layout: Layout,
): boolean {
  return (
    KIND_TRAITS[layer.kind(row)].isGuess && isAbove(layer, row, folder, layout)
  );
}

/** Returns whether a path only shows where the project is, as `path.join(__dirname, "../..")` does. */
function isAbove(
  layer: Layer,
  row: number,
  folder: string,
  layout: Layout,
): boolean {
  return isWithin(layout.dirOf(layer.from(row)), folder);
}
