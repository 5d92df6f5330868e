import { planUnits } from "@skein/runner";
import type { PlanUnitsInput, Unit, UnitPlan } from "@skein/runner";
import type { PlannedUnit } from "../plan.js";

export interface UnitPlanInput {
  readonly workspaces: PlanUnitsInput["workspaces"];
  readonly edges: PlanUnitsInput["edges"];
  readonly pipeline: Readonly<Record<string, readonly string[]>>;
  readonly units: readonly PlannedUnit[];
}

/**
 * Makes the runner's plan of a job: its units, and those that the pipeline puts before them. Pure. A shard is a
 * separate unit with the id from the plan.
 */
export function planJob(input: UnitPlanInput): UnitPlan {
  const found = new Map<string, Unit>();
  const broken: UnitPlan["broken"][number][] = [];
  const merge = (plan: UnitPlan) => {
    for (const unit of plan.units) {
      // The first plan that contains a unit determines what it waits for. A single plan has no cycles.
      if (!found.has(unit.id)) found.set(unit.id, { ...unit, pulledIn: true });
    }
    broken.push(...plan.broken);
  };
  for (const [script, units] of byScript(input.units))
    merge(
      planUnits({
        workspaces: input.workspaces,
        edges: input.edges,
        pipeline: input.pipeline,
        selected: [...new Set(units.map(({ workspace }) => workspace))],
        scripts: [script],
      }),
    );
  const shards = new Map<string, PlannedUnit[]>();
  for (const unit of input.units) push(shards, unit.whole, unit);
  const units = [...found.values()].flatMap((unit) => {
    const own = shards.get(unit.id);
    if (!own) return [unit];
    return own.map(({ id }) => ({
      ...unit,
      id,
      pulledIn: false,
    }));
  });
  const names = new Map(
    [...shards].map(([whole, own]) => [whole, own.map(({ id }) => id)]),
  );
  return {
    units: units.map((unit) => ({
      ...unit,
      dependsOn: unit.dependsOn.flatMap((id) => names.get(id) ?? [id]),
    })),
    broken,
  };
}

/**
 * Sets the arguments of units. Pure.
 * @param args by id; other units keep theirs
 */
export function withArgs(
  { units, broken }: UnitPlan,
  args: ReadonlyMap<string, readonly string[]>,
): UnitPlan {
  return {
    units: units.map((unit) => ({
      ...unit,
      args: args.get(unit.id) ?? unit.args,
    })),
    broken,
  };
}

/**
 * Returns the plan of a retry: the units that failed, and the units before them that have not passed.
 * @param passed ids of all units that passed
 */
export function retryPlan(
  plan: UnitPlan,
  again: ReadonlySet<string>,
  passed: ReadonlySet<string>,
  args: ReadonlyMap<string, readonly string[]>,
): UnitPlan {
  const wanted = new Set(again);
  // Units come after those they wait for, so one walk from the end finds all of them.
  for (const { id, dependsOn } of plan.units.toReversed())
    if (wanted.has(id))
      for (const on of dependsOn) if (!passed.has(on)) wanted.add(on);
  const units = plan.units
    .filter(({ id }) => wanted.has(id))
    .map((unit) => ({
      ...unit,
      dependsOn: unit.dependsOn.filter((on) => wanted.has(on)),
    }));
  return withArgs({ units, broken: plan.broken }, args);
}

function byScript(
  units: readonly PlannedUnit[],
): ReadonlyMap<string, PlannedUnit[]> {
  const found = new Map<string, PlannedUnit[]>();
  for (const unit of units) push(found, unit.script, unit);
  return found;
}

function push<T>(lists: Map<string, T[]>, key: string, value: T): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}
