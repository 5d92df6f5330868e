import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runnable } from "@skein/workspaces";
import { openYarnProject, planUnits } from "@skein/runner";
import type { OutputMode, Unit } from "@skein/runner";
import type { Attestation } from "../attestation.js";
import { unknownLimitMs } from "../plan/units/estimate.js";
import { runtimeOf } from "../plan/facts/read-fingerprints.js";
import type { Plan, PlannedJob, PlannedUnit } from "../plan.js";
import { coverageJson } from "../covered/coverage-json.js";
import { openProject, type OpenProject } from "../project.js";
import type { DispatchWorld } from "../world.js";
import { attestUnit } from "./facts.js";
import { openMachineWatch } from "./machine.js";
import { runRounds, type Progress } from "./rounds.js";
import { openRunnerRuns } from "./runner-runs.js";
import { planJob } from "./unit-plan.js";

export interface RunJobOptions {
  readonly plan: Plan;
  readonly job: PlannedJob;
  readonly attempt: number;
  readonly machine: number;
  /** The milliseconds since the machine's first step; undefined if unknown. */
  readonly setupMs?: number | undefined;
  readonly concurrency: number;
  readonly output: OutputMode;
  /** Called with the results so far whenever a unit starts or ends, because a machine may be lost at any time. */
  readonly attest: (attestation: Attestation) => Promise<void>;
  /**
   * Stores the output of a failed unit.
   * @returns the file's name, relative to the folder of the attestation; undefined if it cannot be written
   */
  readonly keepLog: (text: string) => Promise<string | undefined>;
  /**
   * Stores the coverage of a run, as JSON with paths relative to the workspace.
   * @returns the file's name, relative to the folder of the attestation; undefined if it cannot be written
   */
  readonly keepCoverage: (json: string) => Promise<string | undefined>;
}

/** The host that Yarn installs from. A machine that cannot resolve it has no network. */
const REGISTRY = "registry.yarnpkg.com";

/**
 * Runs the units of one job and retries those that fail. It retries only the failed test files if nothing else can have
 * failed the run.
 * @returns the results, after all processes have ended
 * @throws {Failure} if the workspace is unreadable, or no script can run
 */
export async function runJob(
  world: DispatchWorld,
  options: RunJobOptions,
): Promise<Attestation> {
  const { plan, job, attempt, machine } = options;
  using opened = await openProject(world);
  const temp = await mkdtemp(join(tmpdir(), "ci-dispatch-"));
  const progress: Progress = { runs: new Map(), running: new Set() };
  const attestation = (finished: boolean): Attestation => ({
    version: 1,
    plan: plan.id,
    job: job.id,
    attempt,
    machine,
    finished,
    ...(plan.runtime !== undefined && { runtime: runtimeOf(world) }),
    setupMs: options.setupMs,
    ...(progress.running.size > 0 && { running: [...progress.running] }),
    units: job.units.flatMap((unit) => {
      const own = progress.runs.get(unit.id);
      return own ? [attestUnit(unit, own)] : [];
    }),
  });
  const changed = () => options.attest(attestation(false));
  try {
    await changed();
    await runIn(world, options, opened, temp, progress, changed);
    const whole = attestation(true);
    await options.attest(whole);
    return whole;
  } finally {
    await rm(temp, { recursive: true, force: true });
  }
}

async function runIn(
  world: DispatchWorld,
  { plan, job, concurrency, output, keepLog, keepCoverage }: RunJobOptions,
  { root, project, settings }: OpenProject,
  temp: string,
  progress: Progress,
  changed: () => Promise<void>,
): Promise<void> {
  const { env, node, now } = world;
  const yarn = await openYarnProject({ root, env, node });
  const workspaces = runnable(project);
  const scripts = scriptsOf(job.units, workspaces);
  const watch = openMachineWatch({
    folders: [temp, root],
    now,
    host: REGISTRY,
  });
  try {
    await runRounds(world, {
      units: job.units,
      whole: planJob({
        workspaces,
        edges: project.graph.edges,
        pipeline: settings.pipeline,
        units: job.units,
      }),
      retries: plan.retries,
      unplannedMs: unknownLimitMs(0, settings.dispatch.timeout),
      yarn,
      runs: await openRunnerRuns(world, { plan, yarn, scripts, temp }),
      watch,
      concurrency,
      output,
      progress,
      changed,
      keepLog,
      keepCoverage: async (coverage) => {
        try {
          const json = coverageJson(coverage, await realpath(root));
          return await keepCoverage(json);
        } catch {
          // Coverage that is too large for a text, for example, must not fail the job.
          return undefined;
        }
      },
    });
  } finally {
    watch.close();
  }
}

/** Returns the units as the checkout defines them, without shards, by their id. */
function scriptsOf(
  units: readonly PlannedUnit[],
  workspaces: Parameters<typeof planUnits>[0]["workspaces"],
): ReadonlyMap<string, Unit> {
  return new Map(
    units.flatMap(({ whole, workspace, script }) =>
      planUnits({
        workspaces,
        edges: [],
        selected: [workspace],
        scripts: [script],
      }).units.map((unit) => [whole, unit] as const),
    ),
  );
}
