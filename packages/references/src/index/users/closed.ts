import {
  CLOSED_SIGN,
  SHELL_SIGN,
  type ReferenceKind,
} from "../../reference.js";
import { fileOf } from "../targets/file-of.js";
import type { Layer } from "../layer.js";
import type { Layout } from "../layout.js";

/** Kinds with which a program loads other files. */
const LOADS: ReadonlySet<ReferenceKind> = new Set<ReferenceKind>([
  "import",
  "export",
  "dynamic-import",
  "require",
]);

/** Returns whether a program and all files that it loads are closed. @see ReferenceGraph.isClosed */
export function isClosed(
  path: string,
  layers: readonly Layer[],
  layout: Layout,
): boolean {
  const files = new Set([path]);
  for (const file of files) {
    let isProved = false;
    for (const layer of layers) {
      if (layer.isUnparsedFile(file)) return false;
      for (const row of layer.rowsIn(file)) {
        const kind = layer.kind(row);
        if (kind === "program") {
          isProved ||= layer.table.specifierOf(row) === CLOSED_SIGN;
          continue;
        }
        if (layer.isPartial(row) && readsAround(layer, row, layout))
          return false;
        const target = layer.target(row);
        if (!LOADS.has(kind) || target.kind === "package") continue;
        const loaded = fileOf(target.path, layers);
        if (loaded === undefined) return false;
        if (!loaded.endsWith(".json")) files.add(loaded);
      }
    }
    if (!isProved) return false;
  }
  return true;
}

/** Returns the commands of a shell script, if all of them are known. @see ReferenceGraph.shellOf */
export function shellOf(
  path: string,
  layers: readonly Layer[],
): string | undefined {
  for (const layer of layers)
    for (const row of layer.rowsIn(path)) {
      const name = layer.table.specifierOf(row);
      if (layer.kind(row) === "program" && name.startsWith(SHELL_SIGN))
        return name.slice(SHELL_SIGN.length);
    }
  return undefined;
}

/** Returns whether an open end may lead to settings above packages: to a file in the root, or in a folder that contains packages. */
function readsAround(layer: Layer, row: number, layout: Layout): boolean {
  const target = layer.target(row);
  return (
    target.kind === "package" ||
    layer.isFromPackage(row) ||
    layout.holdsWorkspaces(target.path)
  );
}
