import { count, formatDuration } from "@skein/reporting";
import { hashOf } from "../canonical.js";
import type {
  Attested,
  Plan,
  PlannedJob,
  PlannedUnit,
  PlanOptions,
  Reused,
} from "../plan.js";
import { findCandidates } from "./units/candidates.js";
import type {
  Candidate,
  Candidates,
  CandidatesInput,
} from "./units/candidates.js";
import { chooseInline } from "./jobs/choose-inline.js";
import { chooseReuse, NO_FINGERPRINTS } from "./units/choose-reuse.js";
import type { Fingerprints } from "./units/choose-reuse.js";
import type { Traceable } from "./units/choose-traces.js";
import {
  openEstimator,
  type EstimateInput,
  type Timed,
} from "./units/estimate.js";
import { packUnits, sumOf } from "./jobs/pack-units.js";
import { planIdOf } from "./file/plan-id.js";
import { predict } from "./jobs/predict.js";
import { splitUnit } from "./units/split.js";
import { workloadOf } from "./jobs/workload.js";

/** All inputs of a plan. */
export interface PlanInput extends CandidatesInput, EstimateInput {
  /** Absent if no fingerprints are known. */
  readonly fingerprints?: Fingerprints;
  /** The runtime of the scripts; absent if no fingerprints are known. */
  readonly runtime?: string;
  /** The share of reusable units that run nevertheless, and a word that determines which ones. */
  readonly draw?: Pick<Fingerprints, "recheck" | "salt">;
  readonly options: PlanOptions;
}

/**
 * Decides which units run in which job. Pure: the same input results in the same plan with the same id.
 * @throws {Failure} if the settings name a step that doesn't exist
 */
export function makePlan(input: PlanInput): Plan {
  const { options } = input;
  const laidOut = layOut(input);
  const { found, jobs } = laidOut;
  const base = input.affected[0]?.base ?? null;
  const head = input.affected[0]?.head ?? null;
  const { earlier } = input.fingerprints ?? NO_FINGERPRINTS;
  const inputs = {
    ...input,
    history: [...input.history].map(([unit, { files, ...measured }]) => ({
      unit,
      ...measured,
      files: [...files],
    })),
    testFiles: [...input.testFiles],
    judging: [...input.judging],
    // The plan itself contains the attested results that matter.
    fingerprints: undefined,
    proofs: undefined,
    draw: undefined,
    reused: found.reused.length > 0 ? found.reused : undefined,
  };
  const content: Omit<Plan, "id"> = {
    version: 1,
    inputs: hashOf({ version: 1, inputs }),
    base,
    head,
    jobs,
    reused: inputs.reused,
    sameTree: found.sameTree,
    earlier: earlier.length > 0 ? earlier : undefined,
    tree: input.fingerprints?.tree,
    runtime: input.runtime,
    skipped: found.skipped,
    retries: options.retries,
    prediction: predict(jobs, options.setupMs),
    everything: workloadOf(layOut(allAffected(input)).jobs, options.setupMs),
    notes: notesOn(input, laidOut),
  };
  const { version, ...others } = content;
  return { version, id: planIdOf(content), ...others };
}

/** Returns the plan with further members, which don't concern its jobs. Pure. */
export function withMore(
  plan: Plan,
  { alters = [], traces }: Pick<Plan, "alters" | "traces">,
): Plan {
  if (alters.length === 0 && !traces) return plan;
  const content = {
    ...plan,
    id: undefined,
    alters: alters.length > 0 ? alters : undefined,
    traces,
  };
  return { ...content, id: planIdOf(content) };
}

/** Returns the units that could be traced: all that a plan of every package has on the workflow's own runner. Pure. */
export function traceable(input: PlanInput): readonly Traceable[] {
  const all = allAffected(input);
  const estimate = openEstimator(all);
  return findCandidates(all)
    .packages.filter(({ pool }) => pool === undefined)
    .map((candidate) => ({ ...candidate, ms: estimate(candidate).ms }));
}

/**
 * Finds the units that a plan of this input splits, by `package#script`. The caller then checks whether their settings allow
 * it. Pure.
 * @throws {Failure} if the settings name a step that doesn't exist
 */
export function splitUnits(input: PlanInput): readonly string[] {
  const units = layOut(input).jobs.flatMap((job) => job.units);
  const split = units.filter(({ shard }) => shard !== null);
  return [...new Set(split.map(({ whole }) => whole))];
}

/** The jobs with their units, and the data for the decision. */
interface LaidOut {
  readonly found: Candidates & {
    readonly reused: readonly Reused[];
    readonly sameTree: Attested | undefined;
  };
  /** The scripts of packages. */
  readonly timed: readonly Timed[];
  /** The steps of the application suite. */
  readonly steps: readonly Timed[];
  readonly limitMs: number;
  readonly jobs: readonly PlannedJob[];
  /** A sentence about the costs and savings of one job instead of several. */
  readonly traded?: string | undefined;
}

const SEVERAL_POOLS =
  "the units need machines of several pools, so one job cannot run everything";

/** Distributes all units over several jobs, or puts them in one. */
function layOut(input: PlanInput): LaidOut {
  const split = layOutSplit(input);
  const { setupMs, targetMs, timeout, onePackagePerJob } = input.options;
  const asked = input.options.inline ?? "never";
  // With a single package, one job per package is also a single job.
  const several = onePackagePerJob && split.jobs.length > 1;
  const pools = new Set(split.jobs.map(({ pool }) => pool));
  const mode = several || pools.size > 1 ? "never" : asked;
  const [pool] = pools;
  const units = [...split.steps, ...split.timed].flatMap((timed) =>
    splitUnit(timed, { limitMs: Infinity, timeout }),
  );
  const whole: PlannedJob = {
    id: "all",
    kind: "inline",
    pool,
    expectedMs: sumOf(units),
    units,
  };
  const options = { mode, setupMs, targetMs };
  const { inline, traded } = chooseInline(split.jobs, whole, options);
  if (asked === "always" && pools.size > 1)
    return { ...split, traded: SEVERAL_POOLS };
  return inline
    ? { ...split, limitMs: Infinity, jobs: [whole], traded }
    : split;
}

function layOutSplit(input: PlanInput): LaidOut {
  const { options } = input;
  const estimate = openEstimator(input);
  const found = withoutReused(
    findCandidates(input),
    { ...(input.fingerprints ?? NO_FINGERPRINTS), ...input.draw },
    (candidate) => estimate(candidate).ms,
  );
  const capacityMs = Math.max(1_000, options.targetMs - options.setupMs);
  const { timeout, maxJobs } = options;

  const steps = found.application.map(estimate);
  const application = jobsOfSteps(
    steps.map((timed) => ({
      timed,
      units: splitUnit(timed, { limitMs: capacityMs, timeout }),
    })),
  );
  const timed = found.packages.map(estimate);
  const pools = new Set(timed.map(({ candidate }) => candidate.pool));
  const alone = application.length + pools.size <= maxJobs ? application : [];
  const left = maxJobs - alone.length;
  const limitMs = limitOf(timed, options, capacityMs, left);
  const units = [
    // If there are more steps than jobs, the steps are packed together with the packages.
    ...(alone === application
      ? []
      : application.map(({ pool, units }) => ({ pool, units }))),
    ...timed.map((each) => ({
      pool: each.candidate.pool,
      units: splitUnit(each, { limitMs, timeout }),
    })),
  ];
  const packed = packUnits(units, {
    ...options,
    targetMs: capacityMs,
    maxJobs: left,
  });
  return { found, timed, steps, limitMs, jobs: [...alone, ...packed] };
}

/** Returns the candidates that run, and those that are reused. */
function withoutReused(
  found: Candidates,
  fingerprints: Fingerprints,
  expected: (candidate: Candidate) => number,
): LaidOut["found"] {
  const candidates = new Map(
    [...found.application, ...found.packages].map((each) => [each.whole, each]),
  );
  const timed = (unit: Reused): Reused => {
    const candidate = candidates.get(unit.whole);
    return candidate
      ? { ...unit, expectedMs: Math.round(expected(candidate)) }
      : unit;
  };
  const application = chooseReuse(found.application, fingerprints);
  const packages = chooseReuse(found.packages, fingerprints);
  return {
    application: application.run,
    packages: packages.run,
    skipped: found.skipped,
    reused: [...application.reused, ...packages.reused].map(timed),
    sameTree:
      packages.run.length === 0 && packages.reused.length > 0
        ? fingerprints.known.sameTree
        : undefined,
  };
}

/** Returns the same input with every package affected and no results to reuse. */
function allAffected(input: PlanInput): PlanInput {
  const packages = input.workspaces.map(({ name, dir }) => ({
    name,
    dir,
    why: "everything",
  }));
  const { root } = input;
  const answer = { base: null, head: null, script: null, root, unknown: [] };
  return {
    ...input,
    affected: [{ ...answer, packages }],
    fingerprints: NO_FINGERPRINTS,
  };
}

/** Gives each step, or each of its shards, a separate job, so that none waits for another. */
function jobsOfSteps(
  steps: readonly {
    readonly timed: Timed;
    readonly units: readonly PlannedUnit[];
  }[],
): PlannedJob[] {
  return steps.flatMap(({ timed, units }) =>
    units.map((unit) => ({
      id: `app-${timed.candidate.step?.name ?? "step"}${unit.shard ? `-${unit.shard.index}` : ""}`,
      kind: "application" as const,
      pool: timed.candidate.pool,
      expectedMs: unit.expectedMs,
      units: [unit],
    })),
  );
}

/**
 * Returns the duration in milliseconds above which a unit is split: the capacity of a job, or the fair share if the number of
 * jobs is fixed.
 */
function limitOf(
  timed: readonly Timed[],
  { jobs, onePackagePerJob }: PlanOptions,
  capacityMs: number,
  maxJobs: number,
): number {
  if (onePackagePerJob) return Infinity;
  const total = timed.reduce((sum, { ms }) => sum + ms, 0);
  if (jobs !== undefined)
    return Math.max(1_000, total / Math.max(1, Math.min(jobs, maxJobs)));
  return Math.max(capacityMs, total / Math.max(1, maxJobs));
}

function notesOn(
  { affected, options }: PlanInput,
  { timed, steps, limitMs, traded }: LaidOut,
): string[] {
  const notes = affected.flatMap(({ unknown }) => unknown);
  if (options.setupRuns !== undefined)
    notes.push(
      `a set-up takes ${formatDuration(options.setupMs)}, the P90 of ${count(options.setupRuns, "run")}`,
    );
  if (traded !== undefined) notes.push(traded);
  const guessed = timed.filter(({ estimate }) => estimate.kind !== "history");
  if (guessed.length > 0)
    notes.push(
      `${guessed.length} of ${timed.length} units have no history; their durations are estimates from their test files`,
    );
  for (const { candidate, unsplit } of [...steps, ...timed])
    if (unsplit !== undefined)
      notes.push(`${candidate.whole} is not split: ${unsplit}`);
  for (const { candidate, ms, files, unsplit } of timed)
    if (
      ms > limitMs &&
      files.size < 2 &&
      unsplit === undefined &&
      !options.onePackagePerJob
    )
      notes.push(
        `${candidate.whole} takes longer than the target and cannot be split: it isn't run by Jest, Vitest or Playwright, or has only one test file`,
      );
  return [...new Set(notes)];
}
