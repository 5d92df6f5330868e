import type { Durations } from "./order/durations.js";
import type { SharedExecutor, SharedExecutorOptions } from "./executor.js";
import { openJestExecutor } from "./jest-executor.js";
import { statusWords } from "./render/render-words.js";
import { runUnit, type RunUnitOptions } from "./run-unit.js";
import type { Unit, UnitPlan, UnitResult } from "./unit.js";
import type { YarnProject } from "./yarn/yarn-project.js";
import { parsePlainJest } from "./jest/plain-jest.js";

export interface BatchOptions {
  readonly batch?: boolean;
  readonly project: YarnProject;
  readonly concurrency: number;
  readonly graceMs?: number;
  readonly durations?: Durations;
  readonly launch?: unknown;
}

/** A program that can run for several packages in one process. */
interface SharedProgram {
  /** Returns whether a script runs only this program. */
  readonly isRunBy: (command: string, args: readonly string[]) => boolean;
  readonly open: (options: SharedExecutorOptions) => SharedExecutor;
}

const PROGRAMS: readonly SharedProgram[] = [
  {
    isRunBy: (...script) => parsePlainJest(...script) !== undefined,
    open: openJestExecutor,
  },
];

/** Runs units: those of a shared program in processes that several packages share, all others in their own. */
export interface Batch {
  /** Runs one unit to its end. If it doesn't pass in a shared process, it reruns alone, and that result counts. */
  run(unit: Unit, options: RunUnitOptions): Promise<UnitResult>;
  /** Ends the shared processes. */
  close(): Promise<void>;
}

/** In milliseconds. For longer units, the start of the program matters little, and a failure would take twice as long. */
const LONG_MS = 10_000;

/**
 * Opens the shared processes of a run. Units run alone if the option is off, if scripts are recorded or run by Yarn
 * itself, or if no process would get a second package.
 */
export function openBatch(plan: UnitPlan, options: BatchOptions): Batch {
  const { project, concurrency, durations, graceMs = 5_000 } = options;
  const shared = new Map(
    plan.units.flatMap(({ id, command, args }) => {
      if (command === undefined || (durations?.get(id) ?? 0) >= LONG_MS)
        return [];
      const program = PROGRAMS.find((each) => each.isRunBy(command, args));
      return program ? [[id, program] as const] : [];
    }),
  );
  const isOn =
    options.batch === true &&
    options.launch === undefined &&
    project.needsYarn === undefined &&
    project.linker === "node-modules" &&
    shared.size > concurrency;
  if (!isOn) return { run: runUnit, close: () => Promise.resolve() };
  const executors = new Map(
    [...new Set(shared.values())].map((program) => [
      program,
      program.open({
        execPath: project.node.execPath,
        kill: (pid, signal) => project.node.kill(pid, signal),
        graceMs,
        concurrency,
      }),
    ]),
  );
  return {
    async run(unit, given) {
      const program = shared.get(unit.id);
      const executor = program && executors.get(program);
      if (!executor) return runUnit(unit, given);
      const job = await given.prepare();
      const alone = { ...given, prepare: () => Promise.resolve(job) };
      if (!executor.takes(job)) return runUnit(unit, alone);
      const tried = await runUnit(unit, {
        ...alone,
        executor,
        onText: () => undefined,
      });
      if (tried.status === "passed") given.onText(tried.output.text);
      if (tried.status === "passed" || tried.status === "cancelled")
        return tried;
      const result = await runUnit(unit, alone);
      return "output" in result
        ? { ...result, aloneReason: reasonOf(tried) }
        : result;
    },
    async close() {
      await Promise.all([...executors.values()].map((each) => each.close()));
    },
  };
}

/** Returns why the result from a shared process did not count. */
function reasonOf(tried: UnitResult): string {
  const isOwn = tried.status === "failed" && tried.exitCode === undefined;
  if (!isOwn) return `it ${statusWords(tried)} in a shared process`;
  return tried.output.text.trimEnd().split("\n").at(-1) ?? "";
}
