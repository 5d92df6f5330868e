import type { EventOf, FalseHitFields } from "../events/event.js";
import { rate, type Rate } from "./rate.js";

/** The units that the runs of the window reused, because they had passed under the same fingerprint. */
export interface Reuse {
  readonly runs: number;
  /** Units that were reused. */
  readonly units: number;
  /** Their expected duration, in milliseconds. */
  readonly machineMs: number;
  /** The units that were reused, out of those that the pushes after a pull request's first one selected. */
  readonly laterPushes: Rate;
  /** The units that failed under a fingerprint under which they had passed, out of all that ran as a check of it. */
  readonly falseHits: Rate;
  /** Names of units with a false hit, in order. */
  readonly falseHitUnits: readonly string[];
  /**
   * The fingerprints with a false hit, each once, sorted by unit. All their fields were the same when the unit passed
   * and when it failed.
   */
  readonly falseHitFields: readonly FalseHitFields[];
  /** The units that failed although evidence would have left them out, out of all such units that ran as a check. */
  readonly wrongEvidence: Rate;
  /** Their names, in order. */
  readonly wrongEvidenceUnits: readonly string[];
}

/** Sums up what runs did not run again. */
export class ReuseTally {
  readonly #all = { runs: 0, units: 0, machineMs: 0 };
  /** Units that ran as a check: of their fingerprints, and of evidence. */
  readonly #checked = { fingerprints: 0, evidence: 0 };
  /** Runs for pushes of pull requests after the first. */
  readonly #later = { reused: 0, units: 0 };
  #falseHits = 0;
  readonly #falseHitUnits = new Set<string>();
  #wrongEvidence = 0;
  readonly #wrongEvidenceUnits = new Set<string>();
  /** Each unit and fingerprint once, by its JSON. */
  readonly #falseHitFields = new Map<string, FalseHitFields>();

  add(run: EventOf<"units-reused">): void {
    this.#all.runs++;
    this.#all.units += run.reused;
    this.#all.machineMs += run.reusedMs;
    this.#checked.fingerprints += run.checked;
    this.#checked.evidence += run.evidenceChecked;
    if (run.pull !== null && !run.first) {
      this.#later.reused += run.reused;
      this.#later.units += run.units;
    }
    this.#falseHits += run.falseHits.length;
    for (const unit of run.falseHits) this.#falseHitUnits.add(unit);
    this.#wrongEvidence += run.wrongEvidence.length;
    for (const unit of run.wrongEvidence) this.#wrongEvidenceUnits.add(unit);
    for (const each of run.falseHitFields)
      this.#falseHitFields.set(JSON.stringify(each), each);
  }

  sum(): Reuse {
    const { fingerprints, evidence } = this.#checked;
    return {
      ...this.#all,
      laterPushes: rate(this.#later.reused, this.#later.units),
      falseHits: rate(this.#falseHits, fingerprints),
      falseHitUnits: [...this.#falseHitUnits].sort(),
      falseHitFields: [...this.#falseHitFields]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([, each]) => each),
      wrongEvidence: rate(this.#wrongEvidence, evidence),
      wrongEvidenceUnits: [...this.#wrongEvidenceUnits].sort(),
    };
  }
}
