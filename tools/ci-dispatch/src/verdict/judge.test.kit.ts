import type { Attestation, AttestedUnit } from "../attestation.js";
import type { Plan, PlannedUnit } from "../plan.js";
import { hashOf } from "../canonical.js";
import type { Found } from "./read-attestations.js";

/** Creates a unit of a plan. */
export const unit = (
  id: string,
  shard: PlannedUnit["shard"] = null,
): PlannedUnit => ({
  id,
  whole: id.replace(/\[.*/, ""),
  workspace: id.replace(/#.*/, ""),
  dir: `packages/${id.replace(/#.*/, "")}`,
  script: "test",
  step: null,
  shard,
  runner: "jest",
  expectedMs: 1,
  timeoutMs: 1,
  estimate: { kind: "default", ms: 1 },
  why: "",
});
/** Creates a plan of jobs with their units. */
export const planOf = (
  jobs: Readonly<Record<string, readonly PlannedUnit[]>>,
): Plan => ({
  version: 1,
  id: "this",
  inputs: "these",
  base: null,
  head: null,
  jobs: Object.entries(jobs).map(([id, units]) => ({
    id,
    kind: "packages",
    expectedMs: 1,
    units,
  })),
  skipped: [{ workspace: "docs", script: "test", why: "no-script" }],
  retries: 1,
  prediction: {
    wallMs: 0,
    setupMs: 0,
    totalMs: 0,
    makespanMs: 0,
    lowerBoundMs: 0,
    ratio: 1,
    billedMinutes: 0,
    boundBy: { kind: "nothing" },
  },
  notes: [],
});

/** Sets the id of a plan as its file would have it. */
export const sealed = <T extends object>(plan: T): T & { id: string } => ({
  ...plan,
  id: hashOf({ ...plan, id: undefined }),
});

/** Creates a job's attestation of a unit that passed. */
export const passed = (
  id: string,
  more: Partial<AttestedUnit> = {},
): AttestedUnit => ({
  id,
  command: "jest",
  verdict: "passed",
  durationMs: 5,
  attempts: [
    {
      outcome: "passed",
      durationMs: 5,
      exitCode: 0,
      signal: null,
      failedTests: [],
    },
  ],
  failure: null,
  files: {},
  ...more,
});
/** Creates a job's attestation of a unit that failed, with the class of its failure. */
export const failed = (
  id: string,
  kind: "test" | "infrastructure" | "configuration" = "test",
) =>
  passed(id, {
    verdict: "failed",
    attempts: [
      {
        outcome: "failed",
        durationMs: 5,
        exitCode: 1,
        signal: null,
        failedTests: [],
      },
    ],
    failure: { class: kind, evidence: [`${kind} it was`] },
  });
/** Creates a job's attestation. */
export const attest = (
  job: string,
  units: readonly AttestedUnit[],
  more: Partial<Attestation> = {},
): Found => ({
  file: `${job}.${more.attempt ?? 1}.json`,
  attestation: {
    version: 1,
    plan: "this",
    job,
    attempt: 1,
    machine: 1,
    finished: true,
    units,
    ...more,
  },
});
