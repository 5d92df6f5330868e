import type { UnitResult } from "@skein/runner";
import type { AttestedUnit, Attempt, Failing } from "../attestation.js";
import type { PlannedUnit } from "../plan.js";
import { classify, classifyAll } from "./classify.js";
import { readJestReport } from "./jest-report.js";

/** One run of a unit, judged. */
export interface UnitRun {
  readonly command: string;
  readonly attempt: Attempt;
  readonly failing: Failing | null;
  readonly failedFiles: readonly string[];
  readonly files: Readonly<Record<string, number>>;
}

/** The end of the output is where a script says why it failed. */
const TAIL = 20_000;

/**
 * Gathers what is known of a run, and judges it.
 * @param report where Jest writes its report; undefined where it is not Jest
 * @param folder the package's, absolute, links resolved
 */
export async function runFacts(
  result: UnitResult,
  {
    report: file,
    folder,
  }: { readonly report: string | undefined; readonly folder: string },
): Promise<UnitRun> {
  const report = file === undefined ? null : await readJestReport(file, folder);
  const exitCode = "exitCode" in result ? (result.exitCode ?? null) : null;
  const signal = "signal" in result ? (result.signal ?? null) : null;
  const output = "output" in result ? result.output.text : "";
  const failedTests = report?.failedTests ?? [];
  return {
    command: result.unit.command ?? "",
    attempt: {
      outcome: result.status,
      durationMs: "durationMs" in result ? result.durationMs : 0,
      exitCode,
      signal,
      failedTests,
    },
    failing: classify({
      outcome: result.status,
      exitCode,
      signal,
      output: output.slice(-TAIL),
      timeoutMs: result.status === "timed-out" ? result.timeoutMs : null,
      report,
      reports: file !== undefined,
      waitsFor: result.status === "skipped" ? result.why.unit : null,
    }),
    failedFiles: result.status === "passed" ? [] : (report?.failedFiles ?? []),
    files: report?.files ?? {},
  };
}

/** Sums up the runs of one unit. @param runs in order, at least one */
export function attestUnit(
  { id }: PlannedUnit,
  runs: readonly UnitRun[],
): AttestedUnit {
  const [first] = runs;
  return {
    id,
    command: first?.command ?? "",
    verdict: runs.at(-1)?.failing === null ? "passed" : "failed",
    durationMs: first?.attempt.durationMs ?? 0,
    attempts: runs.map(({ attempt }) => attempt),
    failure: classifyAll(runs.map(({ failing }) => failing)),
    files: first?.files ?? {},
  };
}
