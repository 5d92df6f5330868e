import { groupBy } from "@skein/reporting/group-by";
import type { Attestation } from "../attestation.js";
import type { Plan } from "../plan.js";
import type { Refused } from "../verdict.js";
import type { Layout } from "./layout.js";
import type { Found } from "./read-attestations.js";

export interface SelectedAttestations {
  readonly byJob: ReadonlyMap<string, readonly Found[]>;
  readonly refused: readonly Refused[];
}

/** Selects the attestations that count for this plan, and gives reasons for refusing the others. Pure. */
export function selectAttestations(
  plan: Plan,
  found: readonly Found[],
  layout: Layout,
): SelectedAttestations {
  const units = new Map(
    plan.jobs.map((job) => [job.id, new Set(job.units.map(({ id }) => id))]),
  );
  const counted: Found[] = [];
  const refused: Refused[] = [];
  for (const one of found) {
    const why =
      refusalOf(plan.id, units, one.attestation) ??
      misplacedIn(layout, units.size, one);
    if (why) refused.push({ file: one.file, ...why });
    else counted.push(one);
  }
  return {
    byJob: groupBy(counted, ({ attestation }) => attestation.job),
    refused,
  };
}

function refusalOf(
  plan: string,
  jobs: ReadonlyMap<string, ReadonlySet<string>>,
  attestation: Attestation,
): Omit<Refused, "file"> | undefined {
  if (attestation.plan !== plan)
    return { why: "other-plan", detail: attestation.plan };
  const units = jobs.get(attestation.job);
  if (!units) return { why: "unknown-job", detail: attestation.job };
  const seen = new Set<string>();
  for (const { id } of attestation.units) {
    if (!units.has(id)) return { why: "unknown-unit", detail: id };
    if (seen.has(id))
      return { why: "malformed", detail: `the unit ${id} appears twice` };
    seen.add(id);
  }
  return undefined;
}

/**
 * Returns why a file isn't in the place of its attestation. The workflow, not the job's code, names an artifact by the
 * job's id, attempt and machine. A file in its folder can attest only those. If there is only one artifact,
 * actions/download-artifact unpacks it without its folder, so a file there could be for any job. In a plan with one
 * job, that makes no difference.
 * @param jobs the number of jobs in the plan
 */
function misplacedIn(
  { kind, name }: Layout,
  jobs: number,
  { file, attestation: { job, attempt, machine } }: Found,
): Omit<Refused, "file"> | undefined {
  const prefix = `${name}-attestation-`;
  const [folder = "", ...below] = file.split(/[\\/]/);
  if (folder.startsWith(prefix) && below.length > 0)
    return folder === `${prefix}${job}.${attempt}.${machine}`
      ? undefined
      : {
          why: "other-artifact",
          detail: `it attests attempt ${attempt} of ${job}, machine ${machine}`,
        };
  return kind === "artifacts" && jobs > 1
    ? {
        why: "no-artifact",
        detail: `expected in ${prefix}${job}.${attempt}.${machine}`,
      }
    : undefined;
}
