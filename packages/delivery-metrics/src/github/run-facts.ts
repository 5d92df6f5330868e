import type { Conclusion, Instant, Job } from "../events/event.js";
import { CONCLUSIONS } from "../events/event.js";

/** A run of a workflow in one of its attempts. */
export interface RunFacts {
  readonly run: number;
  readonly attempt: number;
  readonly workflow: string;
  readonly path: string | null;
  readonly event: string;
  readonly branch: string | null;
  readonly sha: string;
  readonly created: Instant;
  /** When this attempt began. */
  readonly started: Instant;
  /** Undefined for one that is still going. */
  readonly conclusion: Conclusion | undefined;
  /** GitHub's own id of the run's check suite, which holds its jobs. */
  readonly suite: string | undefined;
}

/** A job, and the attempt that GitHub lists it for. */
export interface JobFacts {
  readonly attempt: number;
  readonly job: Job;
  /** It has not ended, whatever it says of its end. */
  readonly going: boolean;
}

/** GitHub's word for how something ended, in whatever letters; undefined for something that has not ended. */
export function conclusionOf(word: string | undefined): Conclusion | undefined {
  if (word === undefined) return undefined;
  const small = word.toLowerCase();
  return CONCLUSIONS.find((known) => known === small) ?? "unknown";
}
