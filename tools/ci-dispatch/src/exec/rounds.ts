import { withoutSecrets } from "@skein/reporting";
import { addTo } from "@skein/reporting/group-by";
import { openRunView, runUnits } from "@skein/runner";
import type {
  OutputMode,
  RunEvent,
  UnitPlan,
  UnitResult,
  YarnProject,
} from "@skein/runner";
import { FAILURES } from "../failure-classes.js";
import { longestMs } from "../plan/jobs/leg-limits.js";
import type { PlannedUnit } from "../plan.js";
import { runnerNamed } from "../runners/find-runner.js";
import type { PreparedRun } from "../runners/test-runner.js";
import type { DispatchWorld } from "../world.js";
import { runFacts, type FactSources, type UnitRun } from "./facts.js";
import type { RunnerRuns } from "./runner-runs.js";
import type { MachineWatch, Mark } from "./machine.js";
import { retryPlan, withRuns } from "./unit-plan.js";

/** The state of a running job. */
export interface Progress {
  /** The runs by id of the planned unit, in order. */
  readonly runs: Map<string, UnitRun[]>;
  /** The ids of units that have started and not ended. */
  readonly running: Set<string>;
}

export interface RoundsOptions extends Pick<
  FactSources,
  "keepLog" | "keepCoverage"
> {
  readonly units: readonly PlannedUnit[];
  /** The units, and those that the pipeline puts before them. */
  readonly whole: UnitPlan;
  /** How often a failed unit is retried. */
  readonly retries: number;
  /** The time limit in milliseconds of a unit without an estimate in a plan. */
  readonly unplannedMs: number;
  readonly yarn: YarnProject;
  readonly runs: RunnerRuns;
  readonly watch: MachineWatch;
  readonly concurrency: number;
  readonly output: OutputMode;
  readonly progress: Progress;
  /** Called after each change of the progress. */
  readonly changed: () => Promise<void>;
}

/** Runs the units of a job, and retries failed ones as often as the plan allows. */
export async function runRounds(
  world: DispatchWorld,
  options: RoundsOptions,
): Promise<void> {
  const { units, whole, retries, runs, progress } = options;
  const lastRun = (id: string) => progress.runs.get(id)?.at(-1);
  const passed = new Set<string>();
  let again = units;
  for (let round = 0; ; round++) {
    const prepared = await runs.prepare(again, lastRun);
    const plan =
      round === 0
        ? withRuns(whole, prepared)
        : retryPlan(
            whole,
            new Set(again.map(({ id }) => id)),
            passed,
            prepared,
          );
    await runRound(world, options, plan, prepared, passed);
    again = units.filter(({ id }) => runsAgain(lastRun(id)));
    if (world.signal.aborted || round >= retries || again.length === 0) return;
  }
}

/**
 * Returns whether a unit is worth a retry on this machine. A unit that timed out isn't: it would take as long again,
 * and its job may end before it does.
 */
export function runsAgain(run: UnitRun | undefined): boolean {
  if (!run?.failing || run.attempt.outcome === "timed-out") return false;
  return FAILURES[run.failing.class].runsAgain;
}

async function runRound(
  world: DispatchWorld,
  options: RoundsOptions,
  plan: UnitPlan,
  prepared: ReadonlyMap<string, PreparedRun>,
  passed: Set<string>,
): Promise<void> {
  const { stderr, env, now, signal } = world;
  const { units, runs, watch, unplannedMs, yarn } = options;
  const { concurrency, output } = options;
  const isWhole = (unit: PlannedUnit) => runs.isWhole(unit);
  const planned = new Map(units.map((unit) => [unit.id, unit]));
  const record = openRecord(world, options, planned, prepared, passed);
  let recorded = Promise.resolve();
  const view = openRunView({
    plan,
    out: stderr,
    env,
    mode: output,
    concurrency,
    now,
    token: world.unguessable(),
  });
  try {
    const report = await runUnits(plan, {
      project: yarn,
      concurrency,
      timeoutMs: ({ id }) => limitOf(planned.get(id), isWhole, unplannedMs),
      signal,
      now,
      onEvent: (event) => {
        view.onEvent(event);
        if (event.kind === "output") return;
        const mark = event.kind === "started" ? watch.mark() : undefined;
        recorded = recorded.then(() => record(event, mark));
      },
    });
    view.finish(report);
  } catch (error) {
    view.close();
    throw error;
  } finally {
    await recorded;
  }
}

/**
 * Returns the time limit of a unit in milliseconds. A shard that runs as a whole has the time of all shards.
 * @param unit undefined for a unit that the pipeline adds
 */
export function limitOf(
  unit: PlannedUnit | undefined,
  isWhole: (unit: PlannedUnit) => boolean,
  unplannedMs: number,
): number {
  if (!unit) return unplannedMs;
  return isWhole(unit) ? longestMs(unit) : unit.timeoutMs;
}

/** Returns a function that records how units start and end. */
function openRecord(
  { env }: DispatchWorld,
  { runs, watch, progress, changed, keepLog, keepCoverage }: RoundsOptions,
  planned: ReadonlyMap<string, PlannedUnit>,
  prepared: ReadonlyMap<string, PreparedRun>,
  passed: Set<string>,
): (
  event: Exclude<RunEvent, { kind: "output" }>,
  mark: Promise<Mark> | undefined,
) => Promise<void> {
  const marks = new Map<string, Mark>();
  const ended = async (result: UnitResult) => {
    const { id } = result.unit;
    progress.running.delete(id);
    if (result.status === "passed" || result.status === "no-script")
      passed.add(id);
    const unit = planned.get(id);
    if (!unit) return;
    const mark = marks.get(id);
    const run = await runFacts(result, {
      runner: runnerNamed(unit.runner),
      report: prepared.get(id)?.report,
      folder: runs.folderOf(unit),
      isRefused: () => runs.isRefused(unit),
      machine: (asksNetwork) => watch.since(mark, asksNetwork),
      clean: (text) => withoutSecrets(text, env),
      keepLog,
      keepCoverage,
    });
    addTo(progress.runs, id, run);
  };
  return async (event, mark) => {
    if (event.kind === "started") {
      progress.running.add(event.unit.id);
      if (mark) marks.set(event.unit.id, await mark);
    } else await ended(event.result);
    await changed();
  };
}
