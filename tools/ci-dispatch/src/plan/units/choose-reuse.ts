import { hashOf } from "../../canonical.js";
import type { KnownResults } from "../../own-runs/attested-by.js";
import type {
  Attested,
  EarlierPush,
  Fields,
  NotReused,
  Reused,
} from "../../plan.js";
import type { Candidate } from "./candidates.js";

/** The fingerprints of units, and the known results under them. */
export interface Fingerprints {
  /** The current fingerprints by `package#script`; absent if unknown. */
  readonly now: ReadonlyMap<string, Fingerprint>;
  /** A hash of the tested tree, and of the runtime of its scripts. */
  readonly tree: string;
  /** The earlier pushes of the same pull request that were judged, oldest first. */
  readonly earlier: readonly EarlierPush[];
  /** The results that earlier runs attested. */
  readonly known: KnownResults;
  /** By script: older results aren't reused. ISO 8601; absent for scripts without a limit. */
  readonly oldest: ReadonlyMap<string, string>;
  /** The share of reusable units, from 0 to 1, that run nevertheless. */
  readonly recheck: number;
  /** A text that determines which units these are. It differs for each commit. */
  readonly salt: string;
}

/** A hash of everything that a unit's result depends on, and hashes of its parts. */
export interface Fingerprint {
  readonly hex: string;
  readonly fields: Fields;
  /** The environment variables in it whose values differ in each run. */
  readonly varying: readonly string[];
}

/** The value if no fingerprints are known. */
export const NO_FINGERPRINTS: Fingerprints = {
  now: new Map(),
  tree: "",
  earlier: [],
  known: {
    passed: new Map(),
    failed: new Map(),
    newest: new Map(),
    sameTree: undefined,
    inSameTree: new Map(),
  },
  oldest: new Map(),
  recheck: 0,
  salt: "",
};

/** The candidates that run, and those that don't. */
export interface Chosen {
  readonly run: readonly Candidate[];
  readonly reused: readonly Reused[];
}

/**
 * Chooses which candidates run, and which are reused because an earlier run attested them, under the same fingerprint or by a
 * trace that still holds. Pure.
 * A step of the application suite runs unless it sets `reuse`. A unit that failed under its fingerprint runs, even if it passed
 * elsewhere.
 * A share of the reusable units runs nevertheless: if one of them fails, the fingerprint lacks an input.
 */
export function chooseReuse(
  candidates: readonly Candidate[],
  fingerprints: Fingerprints,
): Chosen {
  const { now, known, recheck, salt } = fingerprints;
  const run: Candidate[] = [];
  const reused: Reused[] = [];
  for (const { proof, ...candidate } of candidates) {
    const { whole, step, script } = candidate;
    const fingerprint = onPool(now.get(whole), candidate.pool);
    const { hex = "", fields } = fingerprint ?? {};
    const identified = {
      ...candidate,
      ...(fields && { fingerprint: hex, fields }),
    };
    const before = known.passed.get(hex) ?? known.inSameTree.get(hex);
    const why = fingerprint && whyNot(candidate, fingerprint, known);
    const isUsable =
      before && !why && !isTooOld(before, fingerprints.oldest.get(script));
    // A unit that failed under its fingerprint fails again, no matter what a trace shows.
    const passed = isUsable ? before : why?.kind === "failed" ? null : proof;
    if (step && !step.reuse) run.push(identified);
    else if (!passed)
      run.push({ ...identified, ...(why && { notReused: why }) });
    else if (isDrawn(recheck, { whole, salt }))
      run.push({ ...identified, recheck: passed });
    else
      reused.push({
        whole,
        ...(isUsable && { fingerprint: hex }),
        ...passed,
      });
  }
  return { run, reused };
}

/**
 * Returns the fingerprint of a unit in a pool. The pool is part of it, because a result of one pool's machines may differ on
 * another's.
 */
function onPool(
  fingerprint: Fingerprint | undefined,
  pool: string | undefined,
): Fingerprint | undefined {
  if (!fingerprint || pool === undefined) return fingerprint;
  const { hex, fields } = fingerprint;
  return {
    ...fingerprint,
    hex: hashOf({ fingerprint: hex, pool }),
    fields: { ...fields, pool: hashOf({ pool }).slice(0, 8) },
  };
}

/**
 * Returns why a unit isn't reused although it passed before.
 * @returns undefined if it is reused, or if no earlier run is known
 */
function whyNot(
  { whole }: Candidate,
  { hex, fields, varying }: Fingerprint,
  { passed, failed, newest, inSameTree }: KnownResults,
): NotReused | undefined {
  const failing = failed.get(hex);
  if (failing !== undefined) return { kind: "failed", run: failing };
  if (passed.has(hex) || inSameTree.has(hex)) return undefined;
  const last = newest.get(whole);
  const field = last?.fields && firstDifferent(last.fields, fields);
  if (last === undefined || field === undefined) return undefined;
  if (field === "variables" && varying.length > 0)
    return { kind: "varies", variables: varying };
  const { commit, run, at } = last;
  return { kind: "changed", field, since: { commit, run, at } };
}

/**
 * Returns the first field that differs. It returns only names of our own fields, because the earlier run's names may be
 * forged.
 */
function firstDifferent(was: Fields, is: Fields): string | undefined {
  return Object.keys(is).find((name) => was[name] !== is[name]);
}

function isTooOld({ at }: Attested, oldest: string | undefined): boolean {
  return oldest !== undefined && Date.parse(at) < Date.parse(oldest);
}

/** Returns whether a unit belongs to a share. The answer for the same words is always the same. */
function isDrawn(share: number, words: { whole: string; salt: string }) {
  return parseInt(hashOf(words).slice(0, 8), 16) / 2 ** 32 < share;
}
