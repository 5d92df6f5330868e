import type { BrokenEdge, UnitId } from "../unit.js";

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
 * Orders nodes so that each comes after its dependencies. A cycle is broken at one of its weak edges, if it has any.
 * @param isWeak whether the first node may come before the second one, although it depends on it
 */
export function orderUnits(
  nodes: readonly Node[],
  isWeak: (from: UnitId, to: UnitId) => boolean,
): Ordered {
  const removed = new Map<string, BrokenEdge>();
  for (let left = nodes; ;) {
    const ordered = walk(left);
    const weak = ordered.broken.flatMap(({ cycle }) => weakEdge(cycle, isWeak));
    if (weak.length === 0)
      return { ...ordered, broken: [...removed.values(), ...ordered.broken] };
    for (const edge of weak) removed.set(pairOf(edge.from, edge.to), edge);
    left = left.map(({ id, dependsOn }) => ({
      id,
      dependsOn: dependsOn.filter((to) => !removed.has(pairOf(id, to))),
    }));
  }
}

function pairOf(from: UnitId, to: UnitId): string {
  return `${from} ${to}`;
}

/** Returns the first weak edge of a cycle; nothing if it has none. */
function weakEdge(
  cycle: readonly UnitId[],
  isWeak: (from: UnitId, to: UnitId) => boolean,
): readonly BrokenEdge[] {
  const nextOf = (index: number) => cycle[(index + 1) % cycle.length] ?? "";
  const at = cycle.findIndex((from, index) => isWeak(from, nextOf(index)));
  const from = cycle[at];
  if (from === undefined) return [];
  // The cycle of a broken edge begins behind it.
  const around = [...cycle.slice(at + 1), ...cycle.slice(0, at + 1)];
  return [{ from, to: nextOf(at), cycle: around }];
}

/**
 * Orders nodes in the same way. A cycle is broken at the edge that closes it when the nodes are walked depth-first by name,
 * so the same input always results in the same order and the same broken edges. The walk has its own stack, because a chain of
 * 10,000 packages must not cause a stack overflow.
 */
function walk(nodes: readonly Node[]): Ordered {
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
