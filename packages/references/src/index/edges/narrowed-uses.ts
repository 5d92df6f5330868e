import { addToSet } from "@skein/reporting/group-by";
import type { NarrowedUse, SourceEdge } from "../../graph.js";
import type { Layer } from "../layer.js";
import type { Layout } from "../layout.js";
import type { ModuleReach } from "./module-reach.js";
import { addReach, namesOf, pairOf } from "./reach.js";

/** Facts about declared dependencies that are in no edge. */
export interface KnownUses {
  /**
   * By `pairOf`, what the modules use that are loaded by references which may also lead to undeclared packages; undefined if it
   * isn't known.
   */
  readonly declared: ReadonlyMap<number, Set<number> | undefined>;
  /** Returns the packages that a package's manifest uses without declaring them. */
  readonly manifestUses: (number: number) => ReadonlySet<number>;
}

/**
 * Finds declared dependencies whose undeclared dependencies don't all matter to the dependent, because the modules that it
 * loads don't lead to them.
 * @param edges the edges that no manifest shows
 */
export function narrowedUses(
  edges: readonly SourceEdge[],
  { declared, manifestUses }: KnownUses,
  layers: readonly Layer[],
  { layout, reach }: { readonly layout: Layout; readonly reach: ModuleReach },
): readonly NarrowedUse[] {
  const leads = new Map<number, Set<number>>();
  for (const { from, to, testOnly } of edges) {
    if (testOnly) continue;
    const number = layout.byName.get(from) ?? -1;
    addToSet(leads, number, layout.byName.get(to) ?? -1);
  }
  if (leads.size === 0) return [];
  const uses = new Map(declared);
  for (const [layer, row] of directUses(leads, layers, layout)) {
    const to = layer.to(row);
    const pair = pairOf(layer.from(row), to, layout);
    if (uses.has(pair) && !uses.get(pair)) continue;
    addReach(uses, pair, reach.ofRow({ layer, row }, to, true));
  }
  layout.workspaces.forEach(({ declared }, from) => {
    for (const name of from === layout.root ? [] : declared) {
      const to = layout.byName.get(name) ?? -1;
      const pair = pairOf(from, to, layout);
      if (leads.has(to) && layout.isShown(from, to) && !uses.has(pair))
        addReach(uses, pair, reach.ofUnnamed(to));
    }
  });
  const narrowed: NarrowedUse[] = [];
  for (const [pair, used] of uses) {
    const from = Math.floor(pair / layout.workspaces.length);
    const to = pair % layout.workspaces.length;
    const targets = leads.get(to);
    if (!used || !targets) continue;
    const { namedByExternals } = layout.workspaces[from] ?? {};
    if (namedByExternals?.has(layout.nameOf(to))) continue;
    const programs = reach.ofPrograms(to);
    const onward =
      programs && new Set([...used, ...programs.used, ...manifestUses(to)]);
    if (onward && [...targets].some((target) => !onward.has(target)))
      narrowed.push({
        from: layout.nameOf(from),
        to: layout.nameOf(to),
        onward: namesOf(onward, layout),
      });
  }
  return narrowed;
}

/** Yields the rows with which packages use a package of `leads` that they declare, except the declarations. */
function* directUses(
  leads: ReadonlyMap<number, unknown>,
  layers: readonly Layer[],
  layout: Layout,
): Iterable<readonly [layer: Layer, row: number]> {
  for (const layer of layers)
    for (const row of layer.leavingRows()) {
      const to = layer.to(row);
      if (!leads.has(to)) continue;
      const from = layer.from(row);
      const kind = layer.kind(row);
      if (
        from >= 0 &&
        from !== to &&
        from !== layout.root &&
        layout.isShown(from, to) &&
        layer.isLive(row) &&
        !layer.isOwnGuess(row) &&
        !layer.isFromPackage(row) &&
        kind !== "dependency" &&
        kind !== "linked-dependency"
      )
        yield [layer, row];
    }
}
