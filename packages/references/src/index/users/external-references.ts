import { groupBy } from "@skein/reporting/group-by";
import type { FoundReference, NamingReference } from "../../graph.js";
import type { ReferenceKind } from "../../reference.js";
import type { Asides } from "./asides.js";
import type { Layer } from "../layer.js";
import type { Layout } from "../layout.js";
import type { Row } from "../targets/match.js";

/** Finds the references to an external package. @see ReferenceGraph.referencesToExternal */
export function referencesToExternal(
  external: string,
  layers: readonly Layer[],
  layout: Layout,
  asides: Asides,
  hasTypes = false,
): readonly NamingReference[] {
  const isRead =
    hasTypes && !setsTypeRoots(layers)
      ? (row: Row) => !isTypesOf(external, row)
      : () => true;
  const namings = layers.flatMap((layer) =>
    layer.rowsOfPackage(external).flatMap((row): Naming[] => {
      const [from, kind] = [layer.from(row), layer.kind(row)];
      const isDeclared = kind === "dependency" || kind === "linked-dependency";
      return from < 0 || isDeclared || !isRead({ layer, row })
        ? []
        : [{ layer, row, from, kind }];
    }),
  );
  const isOfTest = ({ layer, row, kind }: Naming) =>
    !layer.isUnparsed(row) && asides.isApart(layer.file(row), kind);
  const byNamer = groupBy(namings, ({ layer, row, from }) =>
    from === layout.root ? layer.file(row) : from,
  );
  return [...byNamer.values()].flatMap((all) => {
    const [first] = all;
    return !first
      ? []
      : [
          {
            from: layout.nameOf(first.from),
            look() {
              const outside = all.find((naming) => !isOfTest(naming));
              const { layer, row } = outside ?? first;
              return { reference: layer.found(row), testOnly: !outside };
            },
          },
        ];
  });
}

/** Returns whether a row is a name in `types` of a tsconfig, for which a compiler looks into `node_modules/@types` first. */
function isTypesOf(external: string, { layer, row }: Row): boolean {
  return (
    layer.kind(row) === "type" &&
    layer.file(row).endsWith(".json") &&
    layer.table.specifierOf(row) === external
  );
}

/** Returns whether a tsconfig sets `typeRoots`: compilers then look for types elsewhere. */
function setsTypeRoots(layers: readonly Layer[]): boolean {
  return layers.some((layer) => {
    for (let row = 0; row < layer.table.rows; row++)
      if (
        layer.kind(row) === "type" &&
        layer.isPartial(row) &&
        layer.isLive(row) &&
        layer.file(row).endsWith(".json")
      )
        return true;
    return false;
  });
}

/** A row that names an external package. */
interface Naming extends Row {
  readonly from: number;
  readonly kind: ReferenceKind;
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
