import type { LaunchedJob } from "../launch.js";
import type { Plan } from "../plan.js";
import { judge } from "../verdict/judge.js";
import type { Found } from "../verdict/read-attestations.js";
import { retriable } from "../verdict/retriable.js";
import { again, withLoss } from "./reconcile.js";

/** What a run has kept may be listed a little later than its end. */
const LOOKS_FOR_ATTESTATION = 3;

/**
 * What becomes of a job whose run is over. Pure. It goes to another machine where only machines or suspected flakes were
 * the reason; what a person has cancelled stays cancelled.
 * @param found what its newest machine attests
 */
export function settle(
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
