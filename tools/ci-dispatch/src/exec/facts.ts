import type { UnitResult } from "@skein/runner";
import type { AttestedUnit, Attempt, Failing } from "../attestation.js";
import type { PlannedUnit } from "../plan.js";
import { classify, classifyAll, suspectsNetwork } from "./classify.js";
import { lastLines } from "./failed-output.js";
import { readReport } from "../runners/report.js";
import type { TestRunner } from "../runners/test-runner.js";
import type { MachineState } from "./machine.js";

/** A run of a unit and its classification. */
export interface UnitRun {
  readonly command: string;
  readonly attempt: Attempt;
  readonly failing: Failing | null;
  /** The test files that failed, if nothing else failed the run; otherwise empty. */
  readonly failedFiles: readonly string[];
  readonly files: Readonly<Record<string, number>>;
  /** The file with its coverage; absent without any. */
  readonly coverage?: string | undefined;
}

/** The sources of facts about a run. `isRefused`, `machine` and `keepLog` are called only if the run failed. */
export interface FactSources {
  /** The program of the unit's test files; undefined for another. */
  readonly runner: TestRunner | undefined;
  /** The file that the program writes its report to; undefined for none. */
  readonly report: string | undefined;
  /** The package's folder, absolute, with links resolved. */
  readonly folder: string;
  /** Returns whether the program fails to show its settings. */
  readonly isRefused: () => Promise<boolean>;
  /**
   * Returns the state of the machine during the run.
   * @param asksNetwork whether the network is suspected
   */
  readonly machine: (asksNetwork: boolean) => Promise<MachineState>;
  /** Removes secrets from the output. */
  readonly clean: (text: string) => string;
  /**
   * Stores the output.
   * @returns the file's name for the attestation
   */
  readonly keepLog: (text: string) => Promise<string | undefined>;
  /**
   * Stores the coverage of the run.
   * @returns the file's name for the attestation
   */
  readonly keepCoverage: (coverage: unknown) => Promise<string | undefined>;
}

/** The number of characters at the end of the output. Scripts report there why they failed. */
const TAIL = 20_000;

/** Collects the facts of a run and classifies it. */
export async function runFacts(
  result: UnitResult,
  sources: FactSources,
): Promise<UnitRun> {
  const report =
    sources.report === undefined
      ? null
      : await readReport(sources.report, sources.folder);
  const exitCode = "exitCode" in result ? (result.exitCode ?? null) : null;
  const signal = "signal" in result ? (result.signal ?? null) : null;
  const output = sources.clean("output" in result ? result.output.text : "");
  const attempt: Attempt = {
    outcome: result.status,
    durationMs: "durationMs" in result ? result.durationMs : 0,
    exitCode,
    signal,
    failedTests: report?.failedTests ?? [],
  };
  const base = {
    command: result.unit.command ?? "",
    files: report?.files ?? {},
    coverage:
      report?.coverage === undefined
        ? undefined
        : await sources.keepCoverage(report.coverage),
  };
  if (result.status === "passed")
    return { ...base, attempt, failing: null, failedFiles: [] };
  const tail = output.slice(-TAIL);
  // If the script didn't exit by itself, its settings aren't suspected.
  const isOpen =
    sources.report !== undefined && !report && exitCode !== null && !signal;
  return {
    ...base,
    attempt: { ...attempt, ...(await printedBy(output, sources)) },
    failing: classify({
      outcome: result.status,
      exitCode,
      signal,
      output: tail,
      timeoutMs: result.status === "timed-out" ? result.timeoutMs : null,
      report,
      program: sources.runner?.title ?? "",
      refused: isOpen && (await sources.isRefused()),
      machine: await sources.machine(suspectsNetwork(tail)),
      waitsFor: result.status === "skipped" ? result.why.unit : null,
    }),
    failedFiles:
      result.status === "failed" && signal === null && !report?.failedBeyond
        ? (report?.failedFiles ?? [])
        : [],
  };
}

/** Returns the parts of a failed run's output that the attestation includes. */
async function printedBy(
  output: string,
  { keepLog }: FactSources,
): Promise<Pick<Attempt, "lastLines" | "log">> {
  if (output.trim() === "") return {};
  const log = await keepLog(output);
  return {
    lastLines: lastLines(output.slice(-TAIL)),
    log,
  };
}

/**
 * Summarizes the runs of one unit.
 * @param runs in order, at least one
 */
export function attestUnit(
  { id }: PlannedUnit,
  runs: readonly UnitRun[],
): AttestedUnit {
  const [first] = runs;
  const coverage = runs.flatMap((run) => run.coverage ?? []);
  return {
    id,
    command: first?.command ?? "",
    verdict: runs.at(-1)?.failing === null ? "passed" : "failed",
    durationMs: first?.attempt.durationMs ?? 0,
    attempts: runs.map(({ attempt }) => attempt),
    failure: classifyAll(runs.map(({ failing }) => failing)),
    files: first?.files ?? {},
    coverage: coverage.length > 0 ? coverage : undefined,
  };
}
