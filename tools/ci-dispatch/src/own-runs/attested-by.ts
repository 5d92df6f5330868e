import { groupBy } from "@skein/reporting/group-by";
import type { HistoryEvent } from "../history/event.js";
import type { Attested, EarlierPush, Fields } from "../plan.js";
import type { Verdict } from "../verdict.js";

/** The results in a verdict: the fingerprints under which units passed, and those under which they failed. */
export interface Attestations {
  /** The id of the workflow run. */
  readonly run: string;
  readonly passed: readonly AttestedUnder[];
  /** The fingerprints under which a unit failed. */
  readonly failed: readonly string[];
  /** This push of the pull request, and the earlier ones. */
  readonly pushes: readonly EarlierPush[];
}

/** A unit that passed, with its fingerprint and the run in which it passed. */
export interface AttestedUnder extends Attested {
  /** `package#script`. */
  readonly unit: string;
  readonly fingerprint: string;
  readonly fields?: Fields | undefined;
}

/**
 * Returns what a verdict of an earlier run attests. Pure. Units that the run reused count too, so the newest verdict includes
 * the results of older ones. The verdict may be forged. So the function uses the commit and time of each run as GitHub
 * reports them, and ignores results of runs that don't belong to the pull request; those of the default branch are in its
 * history.
 * @param where the run, its commit and its time, as GitHub reports them
 * @param own the pull request's runs as GitHub reports them, by id
 */
export function attestedBy(
  verdict: Pick<Verdict, "units" | "reused" | "earlier">,
  where: Attested,
  own: ReadonlyMap<string, Attested>,
): Attestations {
  const { units, reused = [], earlier = [] } = verdict;
  const shards = groupBy(units, ({ whole }) => whole);
  const passed = [...shards].flatMap(([unit, [first, ...others]]) => {
    const fingerprint = first?.fingerprint;
    const isWhole = [first, ...others].every(
      (each) => each?.fingerprint === fingerprint && each?.state === "passed",
    );
    if (fingerprint === undefined || !isWhole) return [];
    const fields = first?.fields;
    return [{ unit, fingerprint, fields, ...where }];
  });
  const passedOn = reused.flatMap(({ whole, fingerprint, run }) => {
    const of = own.get(run);
    return of && fingerprint !== undefined
      ? [{ unit: whole, fingerprint, ...of }]
      : [];
  });
  return {
    run: where.run,
    passed: [...passed, ...passedOn],
    pushes: [...earlier, pushOf(verdict, where)],
    failed: units.flatMap(({ state, under }) =>
      state === "failed" && under !== undefined ? [under] : [],
    ),
  };
}

/** Returns how many units a push ran and reused according to its verdict. Pure. */
export function pushOf(
  { units, reused = [] }: Pick<Verdict, "units" | "reused">,
  where: Attested,
): EarlierPush {
  const ran = new Set(units.map(({ whole }) => whole));
  return {
    ...where,
    units: ran.size + reused.length,
    reused: reused.length,
    reusedMs: reused.reduce((sum, { expectedMs = 0 }) => sum + expectedMs, 0),
  };
}

/** The maximum number of pushes, because a pull request may be open for years. */
export const MOST_PUSHES = 100;

/**
 * Returns the judged pushes of a pull request, oldest first. Pure. If several verdicts contain a run, the newest verdict
 * counts.
 */
export function earlierPushes(
  own: readonly Attestations[],
): readonly EarlierPush[] {
  const byRun = new Map<string, EarlierPush>();
  for (const { pushes } of own)
    for (const push of pushes)
      if (!byRun.has(push.run)) byRun.set(push.run, push);
  return [...byRun.values()]
    .sort((a, b) => (a.at < b.at ? -1 : 1))
    .slice(-MOST_PUSHES);
}

/** The known results under fingerprints. */
export interface KnownResults {
  /** The run in which a unit passed, by fingerprint. */
  readonly passed: ReadonlyMap<string, Attested>;
  /** The run in which a unit failed, by fingerprint. */
  readonly failed: ReadonlyMap<string, string>;
  /** The last result that passed, by `package#script`. */
  readonly newest: ReadonlyMap<string, AttestedUnder>;
  /** The newest run with a green verdict on the same tree. */
  readonly sameTree: Attested | undefined;
  /** The green run of that tree in which a unit was flaky or recovered, by fingerprint. */
  readonly inSameTree: ReadonlyMap<string, Attested>;
}

/**
 * Collects the results that the default branch's history and earlier runs of a pull request attest. Pure. Of several results
 * under a fingerprint, the newest counts, and a failure always counts.
 * @param ownRun this run, whose own results don't count, because a re-run must run its units
 * @param tree a hash of the tested tree, and of the runtime of its scripts
 */
export function knownResults(
  history: readonly HistoryEvent[],
  own: readonly Attestations[],
  {
    ownRun,
    tree,
  }: { readonly ownRun: string | undefined; readonly tree: string },
): KnownResults {
  const passed = new Map<string, Attested>();
  const newest = new Map<string, AttestedUnder>();
  const add = (result: AttestedUnder) => {
    const { unit, fingerprint, commit, run, at } = result;
    if (run === ownRun) return;
    const known = passed.get(fingerprint);
    if (!known || known.at < at) passed.set(fingerprint, { commit, run, at });
    const before = newest.get(unit);
    // Reused results contain no fields.
    if (result.fields && (!before || before.at < at)) newest.set(unit, result);
  };
  const failed = new Map<string, string>();
  const inSameTree = new Map<string, Attested>();
  let sameTree: Attested | undefined;
  for (const event of history) {
    const { fingerprint, under, run, verdict, commit, at } = event;
    if (run === undefined) continue;
    if (event.tree === tree && run !== ownRun) {
      const where = { commit, run, at };
      // This unit was flaky or recovered. Its run was green, and nothing has changed since.
      if (under !== undefined) inSameTree.set(under, where);
      if (!sameTree || sameTree.at < at) sameTree = where;
    }
    if (verdict === "failed" && under !== undefined) failed.set(under, run);
    if (fingerprint !== undefined && verdict === "passed")
      add({ ...event, fingerprint, run });
  }
  for (const { run, passed: results, failed: fingerprints } of own) {
    for (const fingerprint of fingerprints) failed.set(fingerprint, run);
    for (const result of results) add(result);
  }
  return { passed, failed, newest, sameTree, inSameTree };
}
