import { printable, usageFailure } from "@skein/reporting";
import * as json from "@skein/reporting/json";
import { nameMatcher, type DispatchSettings } from "@skein/workspaces";
import type { Plan } from "../../plan.js";

/**
 * Returns a function for `dispatch.pools` that returns the pool of a package; undefined for the default. The first
 * match counts.
 */
export function openPools(
  pools: DispatchSettings["pools"],
): (workspace: string) => string | undefined {
  const entries = Object.entries(pools).map(
    ([pool, names]) => [pool, names.map(nameMatcher)] as const,
  );
  return (workspace) =>
    entries.find(([, matchers]) =>
      matchers.some((matches) => matches(workspace)),
    )?.[0];
}

/**
 * Distributes a number of jobs by weight. Each share is at least 1, so their sum exceeds the total if it is less than
 * the number of shares. The heaviest share gets the remainder. Pure.
 * @param weights at least one, none negative
 */
export function sharesOf(
  total: number,
  weights: readonly number[],
): readonly number[] {
  const free = Math.max(0, total - weights.length);
  const sum = weights.reduce((all, weight) => all + weight, 0);
  const shares = weights.map(
    (weight) => 1 + (sum === 0 ? 0 : Math.floor((free * weight) / sum)),
  );
  const dealt = shares.reduce((all, share) => all + share, 0);
  const heaviest = weights.indexOf(Math.max(...weights));
  return shares.map((share, index) =>
    index === heaviest ? share + Math.max(0, total - dealt) : share,
  );
}

/**
 * Checks that each pool of a plan has machines. Without them, a unit would run on other machines than its package asks
 * for.
 * @param known the names of pools with machines
 * @param where the place that lists them, for the hint
 * @throws {Failure} (usage) for the first pool without machines
 */
export function assertPools(
  { jobs }: Pick<Plan, "jobs">,
  known: ReadonlySet<string>,
  where: string,
): void {
  for (const { id, pool } of jobs)
    if (pool !== undefined && !known.has(pool))
      throw usageFailure(
        `the job ${id} runs on the pool ${printable(pool)}, but the machines of this pool are not defined`,
        { place: { file: "skein.json" }, hint: `add it to ${where}` },
      );
}

/**
 * Reads the names of the pools for which a workflow has machines.
 * @param text JSON: by pool, an object with `runs-on`, `container`, or both
 * @throws {Failure} (usage) if the text has another form
 */
export function readPools(text: string): ReadonlySet<string> {
  try {
    const machines = json.byName(json.byName(json.anything));
    const pools = json.parse(text, machines, "pools");
    for (const [name, settings] of Object.entries(pools))
      for (const member of Object.keys(settings))
        if (member !== "runs-on" && member !== "container")
          throw new json.Malformed(
            `pools.${name}.${member} is not a known setting`,
          );
    return new Set(Object.keys(pools));
  } catch (error) {
    throw usageFailure(
      `the pools can't be read: ${printable((error as Error).message)}`,
      {
        hint: 'for example: {"gpu": {"runs-on": ["self-hosted", "gpu"], "container": "ghcr.io/acme/cuda:12"}}',
        cause: error,
      },
    );
  }
}
