import type { LaunchedJob } from "../launch.js";
import type { Plan } from "../plan.js";
import { judge } from "../verdict/judge.js";
import type { Found } from "../verdict/read-attestations.js";
import { retriable } from "../verdict/retriable.js";
import { again, withLoss } from "./reconcile.js";

/** The number of looks for an attestation. GitHub may list artifacts a little later than the end of their run. */
const LOOKS_FOR_ATTESTATION = 3;

/**
 * Decides how a job whose run is over continues. Pure. The job goes to another machine if only infrastructure or
 * suspected flakes caused its failure. A job that a person cancelled stays cancelled.
 * @param found the attestations of its newest machine
 */
export function nextPhase(
  plan: Plan,
  job: LaunchedJob,
  found: readonly Found[],
  retries: number,
): LaunchedJob {
  const isLost = found.length === 0;
  if (isLost && job.unseen + 1 < LOOKS_FOR_ATTESTATION)
    return { ...job, unseen: job.unseen + 1 };
  const known = isLost ? withLoss(job) : job;
  const alone = { ...plan, jobs: plan.jobs.filter(({ id }) => id === job.job) };
  const deserves =
    job.conclusion !== "cancelled" &&
    job.retried < retries &&
    retriable(alone, judge(alone, found)).length > 0;
  return deserves
    ? { ...again(plan.id, known), retried: job.retried + 1 }
    : { ...known, phase: "ended", unseen: 0 };
}
