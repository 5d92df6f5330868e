import { hashOf } from "../canonical.js";
import type { KnownResults } from "../own-runs/attested-by.js";
import type {
  Attested,
  EarlierPush,
  Fields,
  NotReused,
  Reused,
} from "../plan.js";
import type { Candidate } from "./candidates.js";

/** What is known of fingerprints. */
export interface Fingerprints {
  /** By `package#script`; those that are missing are unknown. */
  readonly now: ReadonlyMap<string, Fingerprint>;
  /** A hash of the tree that is tested, and of what its scripts run on. */
  readonly tree: string;
  /** Pushes of the same pull request that were judged before, the first one first. */
  readonly earlier: readonly EarlierPush[];
  /** What earlier runs attested. */
  readonly known: KnownResults;
  /** By script: results before this time are not reused. ISO 8601; scripts that are missing have no limit. */
  readonly oldest: ReadonlyMap<string, string>;
  /** Which share runs nevertheless. */
  readonly recheck: number;
  /** A word that decides which these are; another one for each commit. */
  readonly salt: string;
}

/** A hash of all that a unit's result hangs on, and of each part of it. */
export interface Fingerprint {
  readonly hex: string;
  readonly fields: Fields;
  /** Environment variables that it holds, and whose values differ in each run. */
  readonly varying: readonly string[];
}

/** No fingerprint is known. */
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

/** What is run of some candidates, and what is not. */
export interface Chosen {
  readonly run: readonly Candidate[];
  readonly reused: readonly Reused[];
}

/**
 * Chooses which candidates run, and which are reused because an earlier run attested them under the same fingerprint. Pure.
 * A step of the application suite runs unless it says `reuse`. A unit that failed under its fingerprint runs, wherever it passed.
 * Of what could be reused, a share runs nevertheless: if one of those fails, the fingerprint lacks something.
 */
export function chooseReuse(
  candidates: readonly Candidate[],
  fingerprints: Fingerprints,
): Chosen {
  const { now, known, recheck, salt } = fingerprints;
  const run: Candidate[] = [];
  const reused: Reused[] = [];
  for (const candidate of candidates) {
    const { whole, step, script } = candidate;
    const fingerprint = onPool(now.get(whole), candidate.pool);
    if (!fingerprint) {
      run.push(candidate);
      continue;
    }
    const { hex, fields } = fingerprint;
    const identified = { ...candidate, fingerprint: hex, fields };
    const before = known.passed.get(hex) ?? known.inSameTree.get(hex);
    const why = whyNot(candidate, fingerprint, known);
    if (step && !step.reuse) run.push(identified);
    else if (
      why ||
      !before ||
      isTooOld(before, fingerprints.oldest.get(script))
    )
      run.push({ ...identified, ...(why && { notReused: why }) });
    else if (isDrawn(recheck, { whole, salt }))
      run.push({ ...identified, recheck: before });
    else reused.push({ whole, fingerprint: hex, ...before });
  }
  return { run, reused };
}

/** Returns a fingerprint on the machines of a pool: a result that passed on one pool's machines may fail on another's. */
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
 * Returns why a unit is not reused although it passed before.
 * @returns undefined where it is reused, and where nothing is known of earlier runs
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

/** The first field that differs. What the earlier run calls its fields may be forged: only names of our own are ever shown. */
function firstDifferent(was: Fields, is: Fields): string | undefined {
  return Object.keys(is).find((name) => was[name] !== is[name]);
}

function isTooOld({ at }: Attested, oldest: string | undefined): boolean {
  return oldest !== undefined && Date.parse(at) < Date.parse(oldest);
}

/** Returns whether a unit is among a share, the same each time for the same words. */
function isDrawn(share: number, words: { whole: string; salt: string }) {
  return parseInt(hashOf(words).slice(0, 8), 16) / 2 ** 32 < share;
}
