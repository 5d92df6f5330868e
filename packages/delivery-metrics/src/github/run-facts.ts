import type { Conclusion, Instant, Job } from "../events/event.js";
import { CONCLUSIONS } from "../events/event.js";

/** An attempt of a workflow run. */
export interface RunFacts {
  readonly run: number;
  readonly attempt: number;
  readonly workflow: string;
  readonly path: string | null;
  readonly event: string;
  readonly branch: string | null;
  readonly sha: string;
  readonly created: Instant;
  /** The start of this attempt. */
  readonly started: Instant;
  /** Undefined if it is still in progress. */
  readonly conclusion: Conclusion | undefined;
  /** GitHub's own id of the run's check suite, which contains its jobs. */
  readonly suite: string | undefined;
}

/** A job, and the attempt that GitHub lists it for. */
export interface JobFacts {
  readonly attempt: number;
  readonly job: Job;
  /** Whether it is in progress, even if it has an end. */
  readonly going: boolean;
}

/** Converts GitHub's conclusion, in any case; undefined if there is none yet. */
export function conclusionOf(word: string | undefined): Conclusion | undefined {
  if (word === undefined) return undefined;
  const small = word.toLowerCase();
  return CONCLUSIONS.find((known) => known === small) ?? "unknown";
}
