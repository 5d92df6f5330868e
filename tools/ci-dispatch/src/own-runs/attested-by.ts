import type { HistoryEvent } from "../history/event.js";
import type { Attested, EarlierPush, Fields } from "../plan.js";
import type { JudgedUnit, Verdict } from "../verdict.js";

/** What a verdict attests: under which fingerprints units passed, and under which ones they failed. */
export interface Attestations {
  /** Id of the workflow run. */
  readonly run: string;
  readonly passed: readonly AttestedUnder[];
  /** Fingerprints under which a unit failed. */
  readonly failed: readonly string[];
  /** This push of the pull request, and those before it. */
  readonly pushes: readonly EarlierPush[];
}

/** A unit that passed, and where. */
export interface AttestedUnder extends Attested {
  /** `package#script`. */
  readonly unit: string;
  readonly fingerprint: string;
  readonly fields?: Fields;
}

/**
 * Returns what a verdict of an earlier run attests. Pure. What that run itself reused counts as well, so the newest verdict holds
 * what older ones had. The verdict may be forged: of each run, the commit and the time are those that GitHub reports, and
 * results of runs that are not the pull request's own are left out; the default branch's are in its history.
 * @param where the run, its commit and its time, as GitHub reports them
 * @param own the pull request's runs as GitHub reports them, by id
 */
export function attestedBy(
  verdict: Pick<Verdict, "units" | "reused" | "earlier">,
  where: Attested,
  own: ReadonlyMap<string, Attested>,
): Attestations {
  const { units, reused = [], earlier = [] } = verdict;
  const shards = new Map<string, JudgedUnit[]>();
  for (const unit of units) {
    const known = shards.get(unit.whole);
    if (known) known.push(unit);
    else shards.set(unit.whole, [unit]);
  }
  const passed = [...shards].flatMap(([unit, [first, ...others]]) => {
    const fingerprint = first?.fingerprint;
    const isWhole = [first, ...others].every(
      (each) => each?.fingerprint === fingerprint && each?.state === "passed",
    );
    if (fingerprint === undefined || !isWhole) return [];
    const fields = first?.fields;
    return [{ unit, fingerprint, ...(fields && { fields }), ...where }];
  });
  const passedOn = reused.flatMap(({ whole, fingerprint, run }) => {
    const of = own.get(run);
    return of ? [{ unit: whole, fingerprint, ...of }] : [];
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

/** Returns how much a verdict reused. Pure. */
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

/** A pull request may be pushed to for years. */
export const MOST_PUSHES = 100;

/** Returns the pushes of a pull request that were judged, the first one first. Pure. The newest word on a run counts. */
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

/** What is known of results under fingerprints. */
export interface KnownResults {
  /** By fingerprint: where a unit passed under it. */
  readonly passed: ReadonlyMap<string, Attested>;
  /** By fingerprint: the run in which a unit failed under it. */
  readonly failed: ReadonlyMap<string, string>;
  /** By `package#script`: where it passed last. */
  readonly newest: ReadonlyMap<string, AttestedUnder>;
  /** The newest run that judged the very tree of this one green. */
  readonly sameTree: Attested | undefined;
  /** By fingerprint: the green run of that tree in which a unit was flaky or recovered. */
  readonly inSameTree: ReadonlyMap<string, Attested>;
}

/**
 * Gathers what the default branch's history and earlier runs of a pull request attest. Pure. The newest result of a fingerprint
 * counts; a failure under it stays.
 * @param ownRun what this run itself attested is left out: who starts a run again wants it to run
 * @param tree a hash of the tree that is tested, and of what its scripts run on
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
    // What was reused itself tells nothing of fields.
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
      // Of a flaky unit: its run was green, and nothing has changed since.
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
