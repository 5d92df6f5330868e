import type { Unit, UnitId, UnitPlan } from "./unit.js";

/** Which units may start now. */
export interface ReadyQueue {
  /** Takes the next unit out; undefined when nothing may start now. */
  next(): Unit | undefined;
  /** A unit has passed (or had nothing to do): what waited only for it may start. */
  passed(id: UnitId): void;
  /**
   * A unit has not passed. Takes out everything that waits for it, with the unit each waited for; one without a script
   * only hands on what it waited for.
   */
  failed(id: UnitId): readonly { readonly unit: Unit; readonly on: UnitId }[];
  /** Takes out everything that has not been given out. */
  drain(): readonly Unit[];
}

/**
 * Opens the queue of a plan. Among the units that may start, the one that took longest in earlier runs comes first,
 * so that none long is left alone at the end; one without a history may be long, so it comes before all of them.
 * @param durations milliseconds by unit
 */
export function openReadyQueue(
  plan: UnitPlan,
  durations: ReadonlyMap<UnitId, number>,
): ReadyQueue {
  const rank = new Map(plan.units.map(({ id }, index) => [id, index]));
  const waitsFor = new Map(
    plan.units.map(({ id, dependsOn }) => [id, new Set(dependsOn)]),
  );
  const dependents = new Map<UnitId, Unit[]>();
  for (const unit of plan.units)
    for (const on of unit.dependsOn) {
      const list = dependents.get(on);
      if (list) list.push(unit);
      else dependents.set(on, [unit]);
    }
  const pending = new Map(plan.units.map((unit) => [unit.id, unit]));
  const expected = ({ id }: Unit) => durations.get(id) ?? Infinity;
  const before = (a: Unit, b: Unit) =>
    expected(a) === expected(b)
      ? (rank.get(a.id) ?? 0) - (rank.get(b.id) ?? 0)
      : expected(b) - expected(a);
  const ready = plan.units
    .filter(({ dependsOn }) => dependsOn.length === 0)
    .sort(before);

  const insert = (unit: Unit) => {
    let low = 0;
    for (let high = ready.length; low < high;) {
      const middle = (low + high) >>> 1;
      const other = ready[middle];
      if (other !== undefined && before(other, unit) < 0) low = middle + 1;
      else high = middle;
    }
    ready.splice(low, 0, unit);
  };
  return {
    next() {
      const unit = ready.shift();
      if (unit) pending.delete(unit.id);
      return unit;
    },
    passed(id) {
      for (const unit of dependents.get(id) ?? []) {
        const rest = waitsFor.get(unit.id);
        if (!rest?.delete(id) || rest.size > 0 || !pending.has(unit.id))
          continue;
        insert(unit);
      }
    },
    failed(id) {
      const out: { unit: Unit; on: UnitId }[] = [];
      const queue = [{ id, on: id }];
      for (const { id, on } of queue)
        for (const unit of dependents.get(id) ?? []) {
          if (!pending.delete(unit.id)) continue;
          out.push({ unit, on });
          const runs = unit.command !== undefined;
          queue.push({ id: unit.id, on: runs ? unit.id : on });
        }
      return out;
    },
    drain() {
      const rest = [...pending.values()];
      pending.clear();
      ready.length = 0;
      return rest;
    },
  };
}
