import { withoutSecrets } from "@skein/reporting";
import { openRunView, runUnits } from "@skein/runner";
import type {
  OutputMode,
  RunEvent,
  UnitPlan,
  UnitResult,
  YarnProject,
} from "@skein/runner";
import { FAILURES } from "../failure-classes.js";
import { longestMs } from "../plan/leg-limits.js";
import type { PlannedUnit } from "../plan.js";
import type { DispatchWorld } from "../world.js";
import { runFacts } from "./facts.js";
import type { UnitRun } from "./facts.js";
import type { JestRun } from "./jest-args.js";
import type { JestRuns } from "./jest-runs.js";
import type { MachineWatch, Mark } from "./machine.js";
import { retryPlan, withArgs } from "./unit-plan.js";

/** What a job knows while it runs. */
export interface Progress {
  /** By id of the planned unit, in order. */
  readonly runs: Map<string, UnitRun[]>;
  /** Ids of units that have started and not ended. */
  readonly running: Set<string>;
}

export interface RoundsOptions {
  readonly units: readonly PlannedUnit[];
  /** The units, and what the pipeline puts before them. */
  readonly whole: UnitPlan;
  /** Times a failed unit is run again. */
  readonly retries: number;
  /** Milliseconds that a unit may take which no plan has estimated. */
  readonly unplannedMs: number;
  readonly yarn: YarnProject;
  readonly jest: JestRuns;
  readonly watch: MachineWatch;
  readonly concurrency: number;
  readonly output: OutputMode;
  readonly progress: Progress;
  /** Told after each change of the progress. */
  readonly changed: () => Promise<void>;
  /** Keeps what a unit printed. @returns the file's name */
  readonly keepLog: (text: string) => Promise<string | undefined>;
}

/** Runs the units of a job, and again what failed of them, as often as the plan allows. */
export async function runRounds(
  world: DispatchWorld,
  options: RoundsOptions,
): Promise<void> {
  const { units, whole, retries, jest, progress } = options;
  const lastRun = (id: string) => progress.runs.get(id)?.at(-1);
  const passed = new Set<string>();
  let again = units;
  for (let round = 0; ; round++) {
    const prepared = await jest.prepare(again, lastRun);
    const args = new Map(
      [...prepared].map(([id, each]) => [id, each.args] as const),
    );
    const plan =
      round === 0
        ? withArgs(whole, args)
        : retryPlan(whole, new Set(again.map(({ id }) => id)), passed, args);
    await runRound(world, options, plan, prepared, passed);
    again = units.filter(({ id }) => runsAgain(lastRun(id)));
    if (world.signal.aborted || round >= retries || again.length === 0) return;
  }
}

/**
 * Whether a unit is worth another run on this machine. One that ran out of time is not: it would take as long again,
 * and its leg may end before it does.
 */
export function runsAgain(run: UnitRun | undefined): boolean {
  if (!run?.failing || run.attempt.outcome === "timed-out") return false;
  return FAILURES[run.failing.class].runsAgain;
}

async function runRound(
  world: DispatchWorld,
  options: RoundsOptions,
  plan: UnitPlan,
  prepared: ReadonlyMap<string, JestRun>,
  passed: Set<string>,
): Promise<void> {
  const { stderr, env, now, signal } = world;
  const { units, jest, watch, unplannedMs, yarn } = options;
  const { concurrency, output } = options;
  const isWhole = (unit: PlannedUnit) => jest.isWhole(unit);
  const planned = new Map(units.map((unit) => [unit.id, unit]));
  const record = openRecord(world, options, planned, prepared, passed);
  let told = Promise.resolve();
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
        told = told.then(() => record(event, mark));
      },
    });
    view.finish(report);
  } catch (error) {
    view.close();
    throw error;
  } finally {
    await told;
  }
}

/**
 * Computes the milliseconds that a unit may take. A shard that is run whole may take what all shards may.
 * @param unit undefined for what the pipeline runs first
 */
export function limitOf(
  unit: PlannedUnit | undefined,
  isWhole: (unit: PlannedUnit) => boolean,
  unplannedMs: number,
): number {
  if (!unit) return unplannedMs;
  return isWhole(unit) ? longestMs(unit) : unit.timeoutMs;
}

/** Opens what writes down how units start and end. */
function openRecord(
  { env }: DispatchWorld,
  { jest, watch, progress, changed, keepLog }: RoundsOptions,
  planned: ReadonlyMap<string, PlannedUnit>,
  prepared: ReadonlyMap<string, JestRun>,
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
      report: prepared.get(id)?.report,
      folder: jest.folderOf(unit),
      isRefused: () => jest.isRefused(unit),
      machine: (asksNetwork) => watch.since(mark, asksNetwork),
      clean: (text) => withoutSecrets(text, env),
      keepLog,
    });
    const list = progress.runs.get(id);
    if (list) list.push(run);
    else progress.runs.set(id, [run]);
  };
  return async (event, mark) => {
    if (event.kind === "started") {
      progress.running.add(event.unit.id);
      if (mark) marks.set(event.unit.id, await mark);
    } else await ended(event.result);
    await changed();
  };
}
