import type { UnitResult } from "@skein/runner";
import type { AttestedUnit, Attempt, Failing } from "../attestation.js";
import type { PlannedUnit } from "../plan.js";
import { classify, classifyAll, suspectsNetwork } from "./classify.js";
import { lastLines } from "./failed-output.js";
import { readJestReport } from "./jest-report.js";
import type { MachineState } from "./machine.js";

/** One run of a unit, judged. */
export interface UnitRun {
  readonly command: string;
  readonly attempt: Attempt;
  readonly failing: Failing | null;
  /** The test files whose failure is all that failed the run; empty where something else did, or may have. */
  readonly failedFiles: readonly string[];
  readonly files: Readonly<Record<string, number>>;
}

/** Where what is known of a run comes from. Each is asked only where the run failed. */
export interface FactSources {
  /** Where Jest writes its report; undefined where it is not Jest. */
  readonly report: string | undefined;
  /** The package's folder, absolute, links resolved. */
  readonly folder: string;
  /** Whether Jest, asked for its settings, fails. */
  readonly isRefused: () => Promise<boolean>;
  /** @param asksNetwork whether the network is suspected */
  readonly machine: (asksNetwork: boolean) => Promise<MachineState>;
  /** Removes secrets from what was printed. */
  readonly clean: (text: string) => string;
  /** Keeps what was printed. @returns the file's name, as it is attested */
  readonly keepLog: (text: string) => Promise<string | undefined>;
}

/** The end of the output is where a script says why it failed. */
const TAIL = 20_000;

/** Gathers what is known of a run, and judges it. */
export async function runFacts(
  result: UnitResult,
  sources: FactSources,
): Promise<UnitRun> {
  const report =
    sources.report === undefined
      ? null
      : await readJestReport(sources.report, sources.folder);
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
  };
  if (result.status === "passed")
    return { ...base, attempt, failing: null, failedFiles: [] };
  const tail = output.slice(-TAIL);
  // A script that did not exit by itself says nothing of its settings.
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

/** What a failed run printed, as far as it is attested. */
async function printedBy(
  output: string,
  { keepLog }: FactSources,
): Promise<Pick<Attempt, "lastLines" | "log">> {
  if (output.trim() === "") return {};
  const log = await keepLog(output);
  return {
    lastLines: lastLines(output.slice(-TAIL)),
    ...(log !== undefined && { log }),
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
