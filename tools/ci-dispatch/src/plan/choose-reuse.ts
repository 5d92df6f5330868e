import { hashOf } from "../canonical.js";
import type { Attested, Reused } from "../plan.js";
import type { Candidate } from "./candidates.js";

/** What is known of fingerprints. */
export interface Fingerprints {
  /** By `package#script`; those that are missing are unknown. */
  readonly now: ReadonlyMap<string, string>;
  /** By fingerprint: where a unit passed under it. */
  readonly attested: ReadonlyMap<string, Attested>;
  /** Which share runs nevertheless. */
  readonly recheck: number;
  /** A word that decides which these are; another one for each commit. */
  readonly salt: string;
}

/** No fingerprint is known. */
export const NO_FINGERPRINTS: Fingerprints = {
  now: new Map(),
  attested: new Map(),
  recheck: 0,
  salt: "",
};

/** What is run of some candidates, and what is not. */
export interface Chosen {
  readonly run: readonly Candidate[];
  readonly reused: readonly Reused[];
}

/**
 * Chooses which candidates run, and which are reused because a trusted run attested them under the same fingerprint. Pure.
 * A step of the application suite runs unless it says `reuse`. Of what could be reused, a share runs nevertheless: if one
 * of those fails, the fingerprint lacks something.
 */
export function chooseReuse(
  candidates: readonly Candidate[],
  { now, attested, recheck, salt }: Fingerprints,
): Chosen {
  const run: Candidate[] = [];
  const reused: Reused[] = [];
  for (const candidate of candidates) {
    const { whole, step } = candidate;
    const fingerprint = now.get(whole);
    const before =
      fingerprint === undefined ? undefined : attested.get(fingerprint);
    const known = { ...candidate, ...(fingerprint && { fingerprint }) };
    if (fingerprint === undefined || !before || (step && !step.reuse))
      run.push(known);
    else if (isDrawn(recheck, { whole, salt }))
      run.push({ ...known, recheck: before });
    else reused.push({ whole, fingerprint, ...before });
  }
  return { run, reused };
}

/** Returns whether a unit is among a share, the same each time for the same words. */
function isDrawn(share: number, words: { whole: string; salt: string }) {
  return parseInt(hashOf(words).slice(0, 8), 16) / 2 ** 32 < share;
}
