import type { FoundReference, NamingReference } from "../graph.js";
import type { Asides } from "./asides.js";
import type { Layer } from "./layer.js";
import type { Layout } from "./layout.js";

/** Finds the references to an external package. @see ReferenceGraph.namersOf */
export function namersOf(
  external: string,
  layers: readonly Layer[],
  layout: Layout,
  asides: Asides,
): readonly NamingReference[] {
  const found = new Map<string, NamingReference>();
  for (const layer of layers)
    for (const row of layer.rowsOfPackage(external)) {
      const from = layer.from(row);
      const kind = layer.kind(row);
      if (from < 0 || kind === "dependency" || kind === "linked-dependency")
        continue;
      const file = layer.file(row);
      const key = from === layout.root ? file : layout.nameOf(from);
      if (found.get(key)?.testOnly === false) continue;
      const testOnly = !layer.isUnparsed(row) && asides.isApart(file, kind);
      if (testOnly && found.has(key)) continue;
      found.set(key, { reference: layer.found(row), testOnly });
    }
  return [...found.values()];
}

/** Finds the references to a package from workspaces that don't declare it. @see ReferenceGraph.undeclaredImportersOf */
export function undeclaredImportersOf(
  name: string,
  layers: readonly Layer[],
  { workspaces }: Layout,
): readonly FoundReference[] {
  return layers.flatMap((layer) =>
    layer
      .rowsOfPackage(name)
      .filter((row) => {
        const from = workspaces[layer.from(row)];
        return (
          from !== undefined &&
          from.name !== name &&
          !from.declared.has(name) &&
          !layer.isNoUse(row)
        );
      })
      .map((row) => layer.found(row)),
  );
}
