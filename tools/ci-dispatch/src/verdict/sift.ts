import type { Plan } from "../plan.js";
import type { Refused } from "../verdict.js";
import type { Found } from "./read-attestations.js";

export interface Sifted {
  readonly byJob: ReadonlyMap<string, readonly Found[]>;
  readonly refused: readonly Refused[];
}

/**
 * The workflow, not the job's code, names a job's artifact by its id, attempt and machine; each is unpacked into a
 * folder of that name. So what lies there can attest nothing else.
 */
const ARTIFACT = "ci-dispatch-attestation-";

/** Keeps what is a credential for this plan, and says of the rest why it is none. Pure. */
export function sift(plan: Plan, found: readonly Found[]): Sifted {
  const units = new Map(
    plan.jobs.map((job) => [job.id, new Set(job.units.map(({ id }) => id))]),
  );
  const byJob = new Map<string, Found[]>();
  const refused: Refused[] = [];
  for (const one of found) {
    const why = refusalOf(plan.id, units, one);
    if (why) {
      refused.push({ file: one.file, ...why });
      continue;
    }
    const list = byJob.get(one.attestation.job);
    if (list) list.push(one);
    else byJob.set(one.attestation.job, [one]);
  }
  return { byJob, refused };
}

function refusalOf(
  plan: string,
  jobs: ReadonlyMap<string, ReadonlySet<string>>,
  { file, attestation }: Found,
): Omit<Refused, "file"> | undefined {
  if (attestation.plan !== plan)
    return { why: "other-plan", detail: attestation.plan };
  const units = jobs.get(attestation.job);
  if (!units) return { why: "unknown-job", detail: attestation.job };
  const [artifact = ""] = file.split(/[\\/]/);
  const { job, attempt, machine } = attestation;
  const own = `${ARTIFACT}${job}.${attempt}.${machine}`;
  if (artifact.startsWith(ARTIFACT) && artifact !== own)
    return {
      why: "other-artifact",
      detail: `it attests attempt ${attempt} of ${job}, machine ${machine}`,
    };
  const seen = new Set<string>();
  for (const { id } of attestation.units) {
    if (!units.has(id)) return { why: "unknown-unit", detail: id };
    if (seen.has(id))
      return { why: "malformed", detail: `the unit ${id} is there twice` };
    seen.add(id);
  }
  return undefined;
}
