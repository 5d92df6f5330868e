import type { BrokenEdge, UnitId } from "./unit.js";

interface Node {
  readonly id: UnitId;
  readonly dependsOn: readonly UnitId[];
}

/** Nodes with dependencies first, and the edges that were removed. */
export interface Ordered {
  readonly order: readonly UnitId[];
  readonly dependsOn: ReadonlyMap<UnitId, readonly UnitId[]>;
  readonly broken: readonly BrokenEdge[];
}

/**
 * Orders nodes so that each comes after its dependencies. A cycle is broken at the edge that closes it when the nodes
 * are walked depth-first by name, so the same input always results in the same order and the same broken edges. The
 * walk has its own stack, because a chain of 10,000 packages must not cause a stack overflow.
 */
export function orderUnits(nodes: readonly Node[]): Ordered {
  const sorted = [...nodes].sort((a, b) => compare(a.id, b.id));
  const waitsFor = new Map(
    sorted.map(({ id, dependsOn }) => [id, [...dependsOn].sort(compare)]),
  );
  const kept = new Map<UnitId, UnitId[]>(sorted.map(({ id }) => [id, []]));
  const order: UnitId[] = [];
  const broken: BrokenEdge[] = [];
  const state = new Map<UnitId, "open" | "done">();

  for (const { id: root } of sorted) {
    if (state.has(root)) continue;
    const path: { id: UnitId; next: number }[] = [{ id: root, next: 0 }];
    state.set(root, "open");
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const to = waitsFor.get(top.id)?.[top.next++];
      if (to === undefined) {
        state.set(top.id, "done");
        order.push(top.id);
        path.pop();
        continue;
      }
      if (state.get(to) === "open") {
        const start = path.findIndex(({ id }) => id === to);
        const cycle = path.slice(start).map(({ id }) => id);
        broken.push({ from: top.id, to, cycle });
        continue;
      }
      kept.get(top.id)?.push(to);
      if (state.has(to)) continue;
      state.set(to, "open");
      path.push({ id: to, next: 0 });
    }
  }
  return { order, dependsOn: kept, broken };
}

/** Compares by code unit, so that the order is the same in every locale. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
