import { FROM_PACKAGE, type ReferenceKind } from "../../reference.js";
import { dirOf } from "../../resolve.js";
import type { HereWorld } from "./file-of.js";
import { match, type Match } from "./match.js";

/** Settings below the root that determine how modules in their folder are read. */
const DESCRIBES = /\/(?:package|[tj]sconfig)\.json$/;
/** Kinds of references that load or run a module. */
const RUNS: ReadonlySet<ReferenceKind> = new Set<ReferenceKind>([
  "import",
  "export",
  "dynamic-import",
  "require",
  "mock",
  "url",
  "config",
  "extends",
  "script",
  "test-script",
]);

/**
 * Returns the rows that load or run a file below the folder of a manifest or a tsconfig that no package owns. It determines how
 * Node and compilers read these files: `"type": "module"`.
 */
export function rowsDescribedBy(
  path: string,
  { layers, layout }: HereWorld,
): readonly Match[] {
  if (!DESCRIBES.test(path)) return [];
  return layers.flatMap((layer) =>
    layer
      .rowsBelow(dirOf(path))
      .filter(
        (row) =>
          layer.to(row) === layout.root &&
          !layer.isPartial(row) &&
          RUNS.has(layer.kind(row)),
      )
      .map((row) => match(layer, row, false)),
  );
}

/**
 * Returns whether a program lists a folder of its own package, or opens files below it, by a path that begins at the current
 * directory.
 * @param owner the number of the package
 */
export function isInOwnFolder(
  { layer, row, byFolder }: Match,
  owner: number,
): boolean {
  return (
    byFolder &&
    layer.isOwnGuess(row) &&
    layer.from(row) === owner &&
    layer.table.specifierOf(row).startsWith(FROM_PACKAGE) &&
    layer.table.specifierOf(row) !== FROM_PACKAGE
  );
}
