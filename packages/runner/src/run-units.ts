import { setMaxListeners } from "node:events";
import { mkdir, mkdtemp, rm, rmdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Failure } from "@skein/reporting";
import type { Executor, Job } from "./executor.js";
import { prepareShellJobs, prepareYarnJobs } from "./prepare-jobs.js";
import type { PrepareJob } from "./prepare-jobs.js";
import { openReadyQueue, type ReadyQueue } from "./order/ready-queue.js";
import { openBatch, type Batch } from "./batch.js";
import type { RunUnitOptions } from "./run-unit.js";
import { openShellExecutor } from "./shell-executor.js";
import type {
  PassedUnit,
  RunEvent,
  RunReport,
  Unit,
  UnitId,
  UnitPlan,
  UnitResult,
} from "./unit.js";
import { openYarnExecutor } from "./yarn-executor.js";
import type { YarnProject } from "./yarn/yarn-project.js";

/** A cache of units that passed. None of its functions may reject. */
export interface ResultMemory {
  /** Returns whether `recall` will probably have a result. If so, no process is started early for the unit. */
  knows(unit: Unit): boolean;
  /**
   * Returns the result that this unit had in an earlier run with the same inputs, with its outputs restored; undefined
   * if it must run.
   */
  recall(unit: Unit): Promise<PassedUnit | undefined>;
  /** Stores a unit that has just passed. Units that wait for it start when this resolves. */
  passed(result: PassedUnit): Promise<void>;
}

export interface RunUnitsOptions {
  readonly project: YarnProject;
  /** The maximum number of scripts that run at the same time; at least 1. */
  readonly concurrency: number;
  /** Whether the first failure ends the run. Default: no. */
  readonly bail?: boolean;
  /** The time limit of each unit in milliseconds, or a function of the unit; undefined means no limit. */
  readonly timeoutMs?: number | ((unit: Unit) => number | undefined);
  /** Milliseconds between SIGTERM and SIGKILL. Default: 5,000. */
  readonly graceMs?: number;
  /** Ends the run with all its processes. */
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: RunEvent) => void;
  /** Returns the time in milliseconds. */
  readonly now: () => number;
  /** The durations of units in earlier runs, in milliseconds. */
  readonly durations?: ReadonlyMap<UnitId, number>;
  /** Changes how a unit is started: its environment, and the program that starts it. Default: no change. */
  readonly launch?: (unit: Unit, job: Job) => Job;
  /** Whether scripts that are plain Jest may share processes. Default: no. */
  readonly batch?: boolean;
  /** The maximum number of bytes of each unit's output in memory. Default: 1 MiB. */
  readonly outputCap?: number;
  /** The cache of results. Default: every unit runs. */
  readonly memory?: ResultMemory | undefined;
}

/**
 * Runs a plan: each unit after its dependencies, and at most `concurrency` at a time. It skips units that depend on one
 * that didn't pass. When it returns, none of its processes is left.
 * @returns results in the order of the plan
 * @throws {Failure} if scripts need `yarn run` and no Yarn can be found
 */
export async function runUnits(
  plan: UnitPlan,
  options: RunUnitsOptions,
): Promise<RunReport> {
  const { now } = options;
  const start = now();
  const temp = await mkdtemp(join(tmpdir(), "skein-run-"));
  const executor = openExecutor(plan, options);
  const batch = openBatch(plan, options);
  try {
    const results = await runAll(plan, options, { executor, batch }, temp);
    return {
      results: plan.units.flatMap(({ id }) => results.get(id) ?? []),
      broken: plan.broken,
      durationMs: Math.round(now() - start),
      interrupted: options.signal?.aborted ?? false,
    };
  } finally {
    await Promise.all([executor.close(), batch.close()]);
    await rm(join(temp, "bin"), { recursive: true, force: true });
    // Only the files of long outputs stay. Without any, the folders are removed.
    await rmdir(join(temp, "output")).catch(() => undefined);
    await rmdir(temp).catch(() => undefined);
  }
}

function openExecutor(plan: UnitPlan, options: RunUnitsOptions): Executor {
  const { project, concurrency, graceMs = 5_000 } = options;
  const kill = (pid: number, signal: NodeJS.Signals | 0) =>
    project.node.kill(pid, signal);
  if (project.needsYarn === undefined) {
    const work = plan.units.filter(
      (unit) => unit.command !== undefined && !options.memory?.knows(unit),
    );
    return openShellExecutor({
      execPath: project.node.execPath,
      env: project.env,
      kill,
      graceMs,
      concurrency,
      warm: options.launch ? 0 : Math.min(concurrency, work.length),
    });
  }
  if (project.yarn !== undefined)
    return openYarnExecutor({ yarn: project.yarn, kill, graceMs });
  throw new Failure(
    `These scripts can only be run by Yarn itself, but Yarn was not found: ${project.needsYarn}.`,
    { hint: "Enable Corepack (`corepack enable`), or set yarnPath." },
  );
}

async function runAll(
  plan: UnitPlan,
  options: RunUnitsOptions,
  { executor, batch }: { readonly executor: Executor; readonly batch: Batch },
  temp: string,
): Promise<ReadonlyMap<UnitId, UnitResult>> {
  const { now, onEvent } = options;
  const queue = openReadyQueue(plan, options.durations ?? new Map());
  await mkdir(join(temp, "output"));
  const prepare = openPreparation(plan, options, executor, temp);
  const stop = new AbortController();
  const signal = options.signal
    ? AbortSignal.any([options.signal, stop.signal])
    : stop.signal;
  // Every running unit listens to it. From the eleventh listener on, Node would warn of a leak.
  setMaxListeners(0, signal);

  const { results, settle } = openSettling(queue, options, signal, stop);
  const runOne = async (unit: Unit, command: string) => {
    const known = await options.memory?.recall(unit);
    // If the user has interrupted the run, it returns no further results.
    if (known) {
      settle(
        signal.aborted ? { status: "cancelled", unit, started: false } : known,
      );
      return;
    }
    onEvent?.({ kind: "started", unit, at: now() });
    const name = `${String(results.size)}-${unit.id.replaceAll(/[^\w.@#-]+/g, "+")}.log`;
    const file = join(temp, "output", name);
    const result = await batch.run(
      unit,
      unitOptions(unit, options, { executor, signal, file }, async () => {
        const job = await prepare(unit, command);
        return options.launch?.(unit, job) ?? job;
      }),
    );
    if (result.status === "passed") await options.memory?.passed(result);
    settle(result);
  };

  const running = new Set<Promise<void>>();
  for (;;) {
    while (!signal.aborted && running.size < Math.max(1, options.concurrency)) {
      const unit = queue.next();
      if (unit === undefined) break;
      if (unit.command === undefined) {
        settle({ status: "no-script", unit });
        continue;
      }
      const one = runOne(unit, unit.command).finally(() => running.delete(one));
      running.add(one);
    }
    if (running.size === 0) break;
    await Promise.race(running);
  }
  for (const unit of queue.drain())
    settle({ status: "cancelled", unit, started: false });
  return results;
}

/**
 * Opens the results of a run. A result also settles the units that it ends: those that depend on a failed one, and after
 * the first failure, if the run stops then, all that are left.
 */
function openSettling(
  queue: ReadyQueue,
  { bail = false, now, onEvent }: RunUnitsOptions,
  signal: AbortSignal,
  stop: AbortController,
) {
  const results = new Map<UnitId, UnitResult>();
  const settle = (outcome: UnitResult) => {
    const { unit } = outcome;
    // A package without the script has nothing to skip, whatever the results of the others are.
    const result: UnitResult =
      unit.command === undefined ? { status: "no-script", unit } : outcome;
    results.set(result.unit.id, result);
    onEvent?.({ kind: "ended", result, at: now() });
    if (result.status === "passed" || result.status === "no-script") {
      queue.passed(result.unit.id);
      return;
    }
    for (const { unit, on } of queue.failed(result.unit.id))
      settle(
        signal.aborted && !stop.signal.aborted
          ? { status: "cancelled", unit, started: false }
          : { status: "skipped", unit, why: { kind: "dependency", unit: on } },
      );
    if (!bail || signal.aborted || result.status === "skipped") return;
    stop.abort();
    const why = { kind: "bail", unit: result.unit.id } as const;
    for (const unit of queue.drain()) settle({ status: "skipped", unit, why });
  };
  return { results, settle };
}

/** Prepares jobs when the first unit starts, because preparing may run Yarn, and there may be nothing to start. */
function openPreparation(
  plan: UnitPlan,
  { project }: RunUnitsOptions,
  executor: Executor,
  temp: string,
): PrepareJob {
  let prepared: PrepareJob | undefined;
  return (unit, command) =>
    (prepared ??=
      executor.via === "shell"
        ? prepareShellJobs(project, join(temp, "bin"), plan.units)
        : prepareYarnJobs(project))(unit, command);
}

interface UnitRun {
  readonly executor: Executor;
  readonly signal: AbortSignal;
  /** The file for output that is longer than the cap. */
  readonly file: string;
}

/** Returns the options of one unit. */
function unitOptions(
  unit: Unit,
  options: RunUnitsOptions,
  { executor, signal, file }: UnitRun,
  prepare: RunUnitOptions["prepare"],
): RunUnitOptions {
  const { project, timeoutMs, now, outputCap = 2 ** 20, onEvent } = options;
  return {
    executor,
    viaReason: executor.via === "yarn" ? project.needsYarn : undefined,
    prepare,
    signal,
    timeoutMs: typeof timeoutMs === "function" ? timeoutMs(unit) : timeoutMs,
    now,
    capture: { cap: outputCap, file },
    onText: (text) => onEvent?.({ kind: "output", unit, text }),
  };
}
