import { basename } from "node:path/posix";
import { addToSet } from "@skein/reporting/group-by";
import { beginningAndSuffix, type ReferenceKind } from "../../reference.js";
import { keyOf } from "../../resolve.js";
import type { Layer } from "../layer.js";
import type { Row } from "./match.js";

/** Kinds that aren't words of a program. */
const NO_WORDS: ReadonlySet<ReferenceKind> = new Set<ReferenceKind>([
  "dependency",
  "linked-dependency",
  "script-name",
  "script-call",
  "script-text",
]);

/**
 * Opens a search for rows that end with a file's name, whatever folder they mean: often only the program knows the folder at
 * which a path begins (`join(root, "lib/worker.js")`).
 */
export function openMentions(
  layers: readonly Layer[],
): (path: string) => Iterable<Row> {
  const stems = new Map<Layer, ReadonlyMap<string, ReadonlySet<number>>>();
  return function* (path) {
    const stem = keyOf(basename(path));
    for (const layer of layers) {
      let ofLayer = stems.get(layer);
      if (!ofLayer) stems.set(layer, (ofLayer = stemsOf(layer)));
      const strings = ofLayer.get(stem);
      if (!strings) continue;
      const { rowSpecifier } = layer.table.columns;
      for (let row = 0; row < rowSpecifier.length; row++)
        if (
          strings.has(rowSpecifier[row] ?? -1) &&
          layer.isLive(row) &&
          !layer.isPartial(row) &&
          !NO_WORDS.has(layer.kind(row))
        )
          yield { layer, row };
    }
  };
}

/** Returns the numbers of the strings that end with a name, by that name without a script's ending. */
function stemsOf(layer: Layer): ReadonlyMap<string, ReadonlySet<number>> {
  const stems = new Map<string, Set<number>>();
  layer.table.allStrings().forEach((text = "", number) => {
    const [path] = beginningAndSuffix(text);
    const end = path.lastIndexOf("/");
    // A word without a folder is a package's name, unless it has a script's ending.
    if (end < 0 && keyOf(path) === path) return;
    addToSet(stems, keyOf(path.slice(end + 1)), number);
  });
  return stems;
}
