import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openRunView, openYarnProject, runUnits } from "@skein/runner";
import type { OutputMode, UnitResult } from "@skein/runner";
import type { Attestation } from "../attestation.js";
import type { Plan, PlannedJob, PlannedUnit } from "../plan.js";
import { openProject } from "../project.js";
import type { OpenProject } from "../project.js";
import type { DispatchWorld } from "../world.js";
import { attestUnit, runFacts } from "./facts.js";
import type { UnitRun } from "./facts.js";
import { prepareJest } from "./jest-args.js";
import type { JestRun } from "./jest-args.js";
import type { Choice } from "./jest-sequencer.js";
import { planJob, retryPlan } from "./unit-plan.js";

export interface RunJobOptions {
  readonly plan: Plan;
  readonly job: PlannedJob;
  readonly attempt: number;
  readonly machine: number;
  readonly concurrency: number;
  readonly output: OutputMode;
  /** Told what is known so far, after every unit: a machine may be lost at any time. */
  readonly attest: (attestation: Attestation) => Promise<void>;
}

/**
 * Runs the units of one job, and again what failed of them: only the failed test files where Jest has told them.
 * @returns what was done; nothing of it still runs
 * @throws {Failure} where the workspace cannot be read or no script can be run at all
 */
export async function runJob(
  world: DispatchWorld,
  options: RunJobOptions,
): Promise<Attestation> {
  const { plan, job, attempt, machine } = options;
  const opened = await openProject(world);
  const temp = await mkdtemp(join(tmpdir(), "ci-dispatch-"));
  const runs = new Map<string, UnitRun[]>();
  const attestation = (finished: boolean): Attestation => ({
    version: 1,
    plan: plan.id,
    job: job.id,
    attempt,
    machine,
    finished,
    units: job.units.flatMap((unit) => {
      const own = runs.get(unit.id);
      return own ? [attestUnit(unit, own)] : [];
    }),
  });
  try {
    await options.attest(attestation(false));
    await runRounds(world, options, opened, temp, runs, () =>
      options.attest(attestation(false)),
    );
    const whole = attestation(true);
    await options.attest(whole);
    return whole;
  } finally {
    await rm(temp, { recursive: true, force: true });
  }
}

async function runRounds(
  world: DispatchWorld,
  { plan, job, concurrency, output }: RunJobOptions,
  { root, project, settings }: OpenProject,
  temp: string,
  runs: Map<string, UnitRun[]>,
  attest: () => Promise<void>,
): Promise<void> {
  const { now, env, node, signal } = world;
  const yarn = await openYarnProject({ root, env, node });
  const planned = new Map(job.units.map((unit) => [unit.id, unit]));
  const folders = await foldersOf(root, project, job.units);
  const siblings = shardsOf(plan);
  const passed = new Set<string>();
  const prepare = (
    units: readonly PlannedUnit[],
    round: number,
  ): Promise<ReadonlyMap<string, JestRun>> =>
    prepareAll(units, join(temp, String(round)), (unit) =>
      chooseFiles(unit, folders, siblings, runs.get(unit.id)?.at(-1)),
    );
  let jest = await prepare(job.units, 0);
  const whole = planJob({
    workspaces: project.packages.map(({ name, dir, manifest }) => ({
      name,
      dir,
      scripts: manifest?.scripts ?? {},
    })),
    edges: project.graph.edges,
    pipeline: settings.pipeline,
    units: job.units,
    args: argsOf(jest),
  });
  let units = whole;
  for (let round = 1; ; round++) {
    let told = Promise.resolve();
    const record = async (result: UnitResult) => {
      const unit = planned.get(result.unit.id);
      if (result.status === "passed" || result.status === "no-script")
        passed.add(result.unit.id);
      if (!unit) return;
      const run = await runFacts(result, {
        report: jest.get(unit.id)?.report,
        folder: folders.get(unit.workspace) ?? root,
      });
      const list = runs.get(unit.id);
      if (list) list.push(run);
      else runs.set(unit.id, [run]);
      await attest();
    };
    const view = openRunView({
      plan: units,
      out: world.stderr,
      env,
      mode: output,
      concurrency,
      now,
      token: world.unguessable(),
    });
    try {
      const report = await runUnits(units, {
        project: yarn,
        concurrency,
        timeoutMs: ({ id }) => planned.get(id)?.timeoutMs,
        signal,
        now,
        onEvent: (event) => {
          view.onEvent(event);
          if (event.kind === "ended")
            told = told.then(() => record(event.result));
        },
      });
      view.finish(report);
    } catch (error) {
      view.close();
      throw error;
    } finally {
      await told;
    }
    const again = job.units.filter(({ id }) => mayPass(runs.get(id)?.at(-1)));
    if (signal.aborted || round > plan.retries || again.length === 0) return;
    jest = await prepare(again, round);
    const ids = new Set(again.map(({ id }) => id));
    units = retryPlan(whole, ids, passed, argsOf(jest));
  }
}

/** What could not be run at all will not run now; everything else that failed may. */
function mayPass(run: UnitRun | undefined): boolean {
  return run?.failing !== null && run?.failing.class !== "configuration";
}

/** The folders of packages, links resolved, as Jest names its files. They come from the disk, never from the plan. */
async function foldersOf(
  root: string,
  project: OpenProject["project"],
  units: readonly PlannedUnit[],
): Promise<ReadonlyMap<string, string>> {
  const wanted = new Set(units.map(({ workspace }) => workspace));
  const found = project.packages.filter(({ name }) => wanted.has(name));
  return new Map(
    await Promise.all(
      found.map(
        async ({ name, dir }) =>
          [name, await realpath(join(root, dir))] as const,
      ),
    ),
  );
}

/** The files of every shard of a unit, in order of shard, over all jobs. */
function shardsOf(
  plan: Plan,
): ReadonlyMap<string, readonly (readonly string[])[]> {
  const found = new Map<string, (readonly string[])[]>();
  for (const { whole, shard } of plan.jobs.flatMap(({ units }) => units)) {
    if (!shard) continue;
    const list = found.get(whole) ?? [];
    list[shard.index - 1] = shard.files;
    found.set(whole, list);
  }
  return found;
}

/** Which files a run of Jest is confined to; undefined for all it finds. */
function chooseFiles(
  { whole, workspace, shard }: PlannedUnit,
  folders: ReadonlyMap<string, string>,
  siblings: ReadonlyMap<string, readonly (readonly string[])[]>,
  last: UnitRun | undefined,
): Choice | undefined {
  const folder = folders.get(workspace);
  if (folder === undefined) return undefined;
  const failed = last?.failedFiles ?? [];
  if (failed.length > 0)
    return { folder, shards: [failed], mine: 0, only: true };
  if (!shard) return undefined;
  return {
    folder,
    shards: siblings.get(whole) ?? [],
    mine: shard.index - 1,
    only: false,
  };
}

async function prepareAll(
  units: readonly PlannedUnit[],
  temp: string,
  choose: (unit: PlannedUnit) => Choice | undefined,
): Promise<ReadonlyMap<string, JestRun>> {
  const jest = units.filter(({ runner }) => runner === "jest");
  return new Map(
    await Promise.all(
      jest.map(async (unit, index) => {
        const folder = join(temp, String(index));
        await mkdir(folder, { recursive: true });
        return [unit.id, await prepareJest(folder, choose(unit))] as const;
      }),
    ),
  );
}

function argsOf(
  jest: ReadonlyMap<string, JestRun>,
): ReadonlyMap<string, readonly string[]> {
  return new Map([...jest].map(([id, { args }]) => [id, args]));
}
