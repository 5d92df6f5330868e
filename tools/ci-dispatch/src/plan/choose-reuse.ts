import { hashOf } from "../canonical.js";
import type { KnownResults } from "../own-runs/attested-by.js";
import type { Fields, Reused } from "../plan.js";
import type { Candidate } from "./candidates.js";

/** What is known of fingerprints. */
export interface Fingerprints {
  /** By `package#script`; those that are missing are unknown. */
  readonly now: ReadonlyMap<string, Fingerprint>;
  /** What earlier runs attested. */
  readonly known: KnownResults;
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
  known: { passed: new Map(), failed: new Map(), newest: new Map() },
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
    const { whole, step } = candidate;
    const fingerprint = onPool(now.get(whole), candidate.pool);
    if (!fingerprint) {
      run.push(candidate);
      continue;
    }
    const { hex, fields } = fingerprint;
    const identified = { ...candidate, fingerprint: hex, fields };
    const why = whyNot(candidate, fingerprint, known);
    const before = known.passed.get(hex);
    if (step && !step.reuse) run.push(identified);
    else if (why !== undefined || !before)
      run.push({ ...identified, ...(why !== undefined && { notReused: why }) });
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
 * Returns why a unit is not reused although it passed before, in words: the first field in which its fingerprint differs from the
 * newest one under which it passed.
 * @returns undefined where it is reused, and where nothing is known of earlier runs
 */
function whyNot(
  { whole }: Candidate,
  { hex, fields, varying }: Fingerprint,
  { passed, failed, newest }: KnownResults,
): string | undefined {
  const failing = failed.get(hex);
  if (failing !== undefined)
    return `it failed under the same fingerprint in run ${failing}`;
  if (passed.has(hex)) return undefined;
  const before = newest.get(whole);
  const differing = before?.fields && firstDifferent(before.fields, fields);
  if (before === undefined || differing === undefined) return undefined;
  const since = `since run ${before.run} at commit ${before.commit.slice(0, 12)}`;
  if (differing === "variables" && varying.length > 0)
    return `it reads ${varying.join(", ")}, which ${varying.length === 1 ? "differs" : "differ"} in each run`;
  return `the field \`${differing}\` of its fingerprint has changed ${since}`;
}

function firstDifferent(was: Fields, is: Fields): string | undefined {
  const names = new Set([...Object.keys(is), ...Object.keys(was)]);
  return [...names].find((name) => was[name] !== is[name]);
}

/** Returns whether a unit is among a share, the same each time for the same words. */
function isDrawn(share: number, words: { whole: string; salt: string }) {
  return parseInt(hashOf(words).slice(0, 8), 16) / 2 ** 32 < share;
}
