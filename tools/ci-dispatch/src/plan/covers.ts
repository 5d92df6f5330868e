import type { Plan } from "../plan.js";

/**
 * Finds what a plan of an earlier attempt does not run although a plan made now would. Pure. The earlier plan travels as
 * an artifact, which that attempt's jobs could replace; its id proves only that it agrees with itself.
 * @param kept the earlier attempt's plan; `parsePlan` has checked that its shards are complete
 * @param made the plan that this attempt would make
 * @returns why the earlier plan cannot be taken, in words; undefined where it can
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

/** What a unit runs. Its package's name and folder come from the plan as its id does, so all of them count. */
function keyOf({
  whole,
  workspace,
  dir,
  script,
}: ReturnType<typeof unitsOf>[number]): string {
  return JSON.stringify([whole, workspace, dir, script]);
}
