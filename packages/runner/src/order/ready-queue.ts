import { addTo } from "@skein/reporting/group-by";
import type { Unit, UnitId, UnitPlan } from "../unit.js";

/** A queue of the units that may start. */
export interface ReadyQueue {
  /** Takes the next unit; undefined if none may start now. */
  next(): Unit | undefined;
  /** Marks a unit as passed (or as having nothing to do). Units that waited only for it may start. */
  passed(id: UnitId): void;
  /**
   * Marks a unit as not passed. Takes everything that waits for it, with the unit that each waited for. A unit without
   * a script passes on the unit that it waited for.
   */
  failed(id: UnitId): readonly { readonly unit: Unit; readonly on: UnitId }[];
  /** Takes all remaining units. */
  drain(): readonly Unit[];
}

/**
 * Opens the queue of a plan. Among the units that may start, the one with the longest duration in earlier runs comes
 * first, so that no long unit runs alone at the end. A unit without a history may be long, so it comes before all
 * others.
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
    for (const on of unit.dependsOn) addTo(dependents, on, unit);
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
