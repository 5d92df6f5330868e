import type { Plan } from "../../plan.js";

/**
 * Checks whether the plan of an earlier attempt lacks a unit that a new plan would run. Pure. The earlier plan is an
 * artifact, which that attempt's jobs could replace. Its id only proves that it is consistent with itself.
 * @param kept the earlier attempt's plan; `parsePlan` has checked that its shards are complete
 * @param made the plan that this attempt would make
 * @returns the reason why the earlier plan can't be used; undefined if it can
 */
export function lacking(kept: Plan, made: Plan): string | undefined {
  if (kept.head !== made.head)
    return `it is for the commit ${kept.head ?? "nothing"}, and this run is for ${made.head ?? "nothing"}`;
  const runs = new Set(unitsOf(kept).map(keyOf));
  const left = unitsOf(made).find((unit) => !runs.has(keyOf(unit)));
  return left && `it does not run ${left.whole}`;
}

function unitsOf({ jobs }: Plan) {
  return jobs.flatMap(({ units }) => units);
}

/**
 * Returns a key of what a unit runs. Like its id, its package's name and folder come from the plan, so the key includes
 * all of them.
 */
function keyOf({
  whole,
  workspace,
  dir,
  script,
}: ReturnType<typeof unitsOf>[number]): string {
  return JSON.stringify([whole, workspace, dir, script]);
}
