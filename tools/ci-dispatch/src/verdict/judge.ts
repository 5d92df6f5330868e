import { posix } from "node:path";
import type { AttestedUnit, Failing } from "../attestation.js";
import { canonicalJson } from "@skein/reporting/canonical-json";
import {
  classAfterPass,
  exitCodeOf,
  FAILURES,
  isOfMachine,
} from "../failure-classes.js";
import { workloadOf } from "../plan/jobs/workload.js";
import type { Plan, PlannedJob, PlannedUnit } from "../plan.js";
import type { JudgedUnit, Refused, UnitState, Verdict } from "../verdict.js";
import { isRed, UNIT_STATES } from "../verdict.js";
import { FILES, type Layout } from "./layout.js";
import type { Found } from "./read-attestations.js";
import { selectAttestations } from "./select-attestations.js";
import {
  lossOf,
  nameOf,
  runningIn,
  seenFromOutside,
  jobRunsOf,
  worst,
} from "./job-runs.js";
import type { JobRun } from "./job-runs.js";

/**
 * Judges a plan by its jobs' attestations. Pure. The verdict is green if, for each unit of the plan, the newest attempt
 * of its job attests that it passed. A unit without an attestation is missing, which is red. No clock is read: only the
 * plan's id and the number of the attempt matter.
 * @param unread files that could not be read as attestations
 * @param layout the way in which the files arrived, which determines what each can attest
 */
export function judge(
  plan: Plan,
  found: readonly Found[],
  unread: readonly Refused[] = [],
  layout: Layout = FILES,
): Verdict {
  const { byJob, refused } = selectAttestations(plan, found, layout);
  const contradictions: Refused[] = [];
  const judged = plan.jobs.flatMap((job) => {
    const runs = jobRunsOf(byJob.get(job.id) ?? []);
    for (const run of runs)
      for (const { file } of contradicting(run.files))
        contradictions.push({
          file,
          why: "contradiction",
          detail: `another file attests a different result of ${nameOf(run)} of ${job.id}; the worse result counts`,
        });
    return job.units.map((unit) =>
      withFingerprint(judgeUnit(unit, job, runs), unit, runs, plan.runtime),
    );
  });
  const units = withoutEmptyShards(judged, plan);
  const counts = Object.fromEntries(
    UNIT_STATES.map((state) => [
      state,
      units.filter((unit) => unit.state === state).length,
    ]),
  ) as Record<UnitState, number>;
  const exitCode = exitCodeOf(
    units.filter(isRed).map(({ failure }) => failure),
  );
  return {
    version: 1,
    plan: plan.id,
    head: plan.head,
    colour: exitCode === 0 ? "green" : "red",
    exitCode,
    counts,
    units,
    reused: plan.reused,
    sameTree: plan.sameTree,
    earlier: plan.earlier,
    tree: treeOf(plan, found),
    skipped: plan.skipped,
    refused: [...unread, ...refused, ...contradictions],
    alters: plan.alters,
    setups: setupsOf(byJob),
    selection: selectionOf(plan),
  };
}

/** Returns the tree that a plan tests, if all machines have the runtime of the one that planned. */
function treeOf(
  { tree, runtime }: Plan,
  found: readonly Found[],
): Verdict["tree"] {
  const isAsPlanned = found.every(
    ({ attestation }) => attestation.runtime === runtime,
  );
  return isAsPlanned ? tree : undefined;
}

/** Returns the set-up times of the newest machines. */
function setupsOf(
  byJob: ReadonlyMap<string, readonly Found[]>,
): Verdict["setups"] {
  const setups = [...byJob].flatMap(([job, found]) => {
    const newest = jobRunsOf(found).at(-1)?.files[0]?.attestation.setupMs;
    return newest === undefined || newest < 0 ? [] : [[job, newest] as const];
  });
  return setups.length > 0 ? Object.fromEntries(setups) : undefined;
}

/** Returns the plan's selection, if the plan contains the workload of a full run. */
function selectionOf({
  jobs,
  prediction: { setupMs, wallMs },
  everything,
}: Plan): Verdict["selection"] {
  if (!everything) return undefined;
  const selected = workloadOf(jobs, setupMs);
  const predictedMs = Math.round(wallMs);
  return { selected, everything, predictedMs };
}

/** Returns the files of one attempt that differ from its first file. A copy is harmless; a contradiction isn't. */
function contradicting(files: readonly Found[]): readonly Found[] {
  const [first, ...others] = files;
  const expected = first && canonicalJson(first.attestation);
  return others.filter(
    ({ attestation }) => canonicalJson(attestation) !== expected,
  );
}

/**
 * Adds the fingerprint of a unit, and the plan's data about earlier runs under it. A unit that failed because of its
 * machine has no result under a fingerprint.
 */
function withFingerprint(
  judged: JudgedUnit,
  { fingerprint, fields, recheck, notReused }: PlannedUnit,
  runs: readonly JobRun[],
  runtime: string | undefined,
): JudgedUnit {
  const isAsPlanned =
    fingerprint !== undefined &&
    runs.every(({ files }) =>
      files.every(({ attestation }) => attestation.runtime === runtime),
    );
  const isKnown =
    isAsPlanned && !(isRed(judged) && isOfMachine(judged.failure));
  return {
    ...judged,
    ...(isKnown &&
      (judged.state === "passed" ? { fingerprint } : { under: fingerprint })),
    fields: isKnown ? fields : undefined,
    recheck,
    notReused,
  };
}

function judgeUnit(
  unit: PlannedUnit,
  job: PlannedJob,
  runs: readonly JobRun[],
): JudgedUnit {
  const attested = runs.map((run) => worst(unit.id, run));
  const last = attested.at(-1);
  const base = {
    id: unit.id,
    whole: unit.whole,
    workspace: unit.workspace,
    dir: unit.dir,
    job: job.id,
    runs: attested.reduce((sum, each) => sum + (each?.attempts.length ?? 0), 0),
  };
  if (!last)
    return {
      ...base,
      state: "missing",
      failure: {
        class: "infrastructure",
        evidence: [missingWords(job.id, runs.at(-1))],
      },
      failedTests: [],
      durationMs: null,
      files: {},
    };
  const failure = overRuns(attested, runs);
  return {
    ...base,
    state: stateOf(last, failure),
    failure,
    failedTests:
      last.verdict === "failed"
        ? (last.attempts.at(-1)?.failedTests ?? [])
        : attested.flatMap(
            (each) =>
              each?.attempts.flatMap(({ failedTests }) => failedTests) ?? [],
          ),
    ...printedBy(last, runs.at(-1)),
    durationMs: last.durationMs,
    files: last.files,
  };
}

/** The maximum number of lines of a script's output, and of characters per line. `exec` writes no more. */
const MOST_LINES = 20;
const LONGEST_LINE = 300;

/** Returns the output of a unit that failed without a named test. */
function printedBy(
  unit: AttestedUnit,
  run: JobRun | undefined,
): Pick<JudgedUnit, "lastLines" | "log"> {
  const attempt = unit.attempts.at(-1);
  if (unit.verdict !== "failed" || !attempt || attempt.failedTests.length > 0)
    return {};
  const { lastLines, log } = attempt;
  const from = run?.files.find(({ attestation }) =>
    attestation.units.includes(unit),
  );
  return {
    lastLines: lastLines
      ?.slice(-MOST_LINES)
      .map((line) => line.slice(0, LONGEST_LINE)),
    ...(log !== undefined &&
      from && { log: posix.join(posix.dirname(slashed(from.file)), log) }),
  };
}

function slashed(path: string): string {
  return path.replaceAll("\\", "/");
}

/**
 * Describes why a unit has no attestation.
 * @param newest the job's newest run; undefined if it had none
 */
function missingWords(job: string, newest: JobRun | undefined): string {
  if (!newest) return `${job} has published no attestation for this plan`;
  const [why] = seenFromOutside(newest);
  const running = runningIn(newest);
  const then =
    running.length > 0
      ? `while ${running.join(", ")} ran`
      : "before this unit was attested";
  return `${job} was lost in ${nameOf(newest)}${why === undefined ? `, ${then}` : `: ${why}`}`;
}

/** Combines the results of all runs. A failure or a loss in an earlier run stays visible if a later run passes. */
function overRuns(
  attested: readonly (AttestedUnit | undefined)[],
  runs: readonly JobRun[],
): Failing | null {
  const last = attested.at(-1);
  if (last?.verdict === "failed") return last.failure;
  const failures = runs.flatMap((run, index) => {
    const each = attested[index];
    const failure = each === undefined ? lossOf(run) : each.failure;
    return failure ? [{ name: nameOf(run), failure }] : [];
  });
  if (failures.length === 0) return null;
  if (failures.length === 1 && last?.failure) return last.failure;
  return {
    class: classAfterPass(failures.map(({ failure }) => failure)),
    evidence: failures.flatMap(({ name, failure }) =>
      failure.evidence.map((line) => `${name}: ${line}`),
    ),
  };
}

function stateOf(last: AttestedUnit, failure: Failing | null): UnitState {
  if (last.verdict === "failed") return "failed";
  if (failure === null) return "passed";
  return FAILURES[failure.class].passedLater;
}

/**
 * Marks units that ran no test file. Single shards may be empty. If all are, Jest has found no tests, which would have failed
 * a whole run.
 */
function withoutEmptyShards(
  units: readonly JudgedUnit[],
  plan: Plan,
): readonly JudgedUnit[] {
  const sharded = new Set(
    plan.jobs.flatMap((job) =>
      job.units.filter(({ shard }) => shard !== null).map(({ whole }) => whole),
    ),
  );
  for (const { whole, state, files } of units)
    if (state === "missing" || Object.keys(files).length > 0)
      sharded.delete(whole);
  return units.map((unit) =>
    sharded.has(unit.whole) && unit.state !== "failed"
      ? {
          ...unit,
          state: "failed",
          failure: {
            class: "configuration",
            evidence: ["none of its shards has run a single test file"],
          },
        }
      : unit,
  );
}
