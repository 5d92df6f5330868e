import { groupBy } from "@skein/reporting/group-by";
import { planUnits } from "@skein/runner";
import type { PlanUnitsInput, Unit, UnitPlan } from "@skein/runner";
import type { PlannedUnit } from "../plan.js";
import type { PreparedRun } from "../runners/test-runner.js";

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
  for (const [script, units] of groupBy(input.units, (unit) => unit.script))
    merge(
      planUnits({
        workspaces: input.workspaces,
        edges: input.edges,
        pipeline: input.pipeline,
        selected: [...new Set(units.map(({ workspace }) => workspace))],
        scripts: [script],
      }),
    );
  const shards = groupBy(input.units, ({ whole }) => whole);
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

/** The arguments and the environment of a unit's next run. */
type Run = Pick<PreparedRun, "args" | "env">;

/**
 * Sets the arguments and the environment of units. Pure.
 * @param runs by id; other units keep theirs
 */
export function withRuns(
  { units, broken }: UnitPlan,
  runs: ReadonlyMap<string, Run>,
): UnitPlan {
  return {
    units: units.map((unit) => {
      const run = runs.get(unit.id);
      return run ? { ...unit, args: run.args, env: run.env } : unit;
    }),
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
  runs: ReadonlyMap<string, Run>,
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
  return withRuns({ units, broken: plan.broken }, runs);
}
