import type { Durations } from "../durations.js";
import { openJestExecutor } from "../jest-executor.js";
import { statusWords } from "../render-words.js";
import { runUnit, type RunUnitOptions } from "../run-unit.js";
import type { Unit, UnitPlan, UnitResult } from "../unit.js";
import type { YarnProject } from "../yarn-project.js";
import { parsePlainJest } from "./plain-jest.js";

export interface BatchOptions {
  readonly batch?: boolean;
  readonly project: YarnProject;
  readonly concurrency: number;
  readonly graceMs?: number;
  readonly durations?: Durations;
  readonly launch?: unknown;
}

/** Runs units: those of plain Jest in processes that several packages share, all others in their own. */
export interface Batch {
  /** Runs one unit to its end. If it doesn't pass in a shared process, it reruns alone, and that result counts. */
  run(unit: Unit, options: RunUnitOptions): Promise<UnitResult>;
  /** Ends the shared processes. */
  close(): Promise<void>;
}

/** In milliseconds. For longer units, the start of Jest matters little, and a failure would take twice as long. */
const LONG_MS = 10_000;

/**
 * Opens the shared processes of a run. Units run alone if the option is off, if scripts are recorded or run by Yarn
 * itself, or if no process would get a second package.
 */
export function openBatch(plan: UnitPlan, options: BatchOptions): Batch {
  const { project, concurrency, durations, graceMs = 5_000 } = options;
  const shared = new Set(
    plan.units
      .filter(
        ({ id, command, args }) =>
          command !== undefined &&
          (durations?.get(id) ?? 0) < LONG_MS &&
          parsePlainJest(command, args) !== undefined,
      )
      .map(({ id }) => id),
  );
  const isOn =
    options.batch === true &&
    options.launch === undefined &&
    project.needsYarn === undefined &&
    project.linker === "node-modules" &&
    shared.size > concurrency;
  if (!isOn) return { run: runUnit, close: () => Promise.resolve() };
  const jest = openJestExecutor({
    execPath: project.node.execPath,
    kill: (pid, signal) => project.node.kill(pid, signal),
    graceMs,
    concurrency,
  });
  return {
    async run(unit, given) {
      if (!shared.has(unit.id)) return runUnit(unit, given);
      const job = await given.prepare();
      const alone = { ...given, prepare: () => Promise.resolve(job) };
      if (!jest.takes(job)) return runUnit(unit, alone);
      const tried = await runUnit(unit, {
        ...alone,
        executor: jest,
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
    close: () => jest.close(),
  };
}

/** Returns why the result from a shared process did not count. */
function reasonOf(tried: UnitResult): string {
  const isOwn = tried.status === "failed" && tried.exitCode === undefined;
  if (!isOwn) return `it ${statusWords(tried)} in a shared process`;
  return tried.output.text.trimEnd().split("\n").at(-1) ?? "";
}
