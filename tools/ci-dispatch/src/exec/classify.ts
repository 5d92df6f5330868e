import { count } from "@skein/reporting";
import type { Failing, FailedTest, Outcome } from "../attestation.js";
import { classAfterPass } from "../failure-classes.js";
import type { MachineState } from "./machine.js";

/** The facts about one run of a unit. */
export interface Facts {
  readonly outcome: Outcome;
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** The end of the run's output. It only supports other evidence, because tests can print anything. */
  readonly output: string;
  readonly timeoutMs: number | null;
  /** The report of the program that ran the tests; null without one. */
  readonly report: {
    readonly failedTests: readonly FailedTest[];
    readonly failedFiles: readonly string[];
  } | null;
  /** The program's name for people. */
  readonly program: string;
  /** Whether the program also fails to show its settings, which means that it rejects them. */
  readonly refused: boolean;
  /** The state of the machine during the run. */
  readonly machine: MachineState;
  /** The unit that failed first of those that this unit waits for. */
  readonly waitsFor: string | null;
}

/** Signals that end a program from outside. Any other signal is the program's own crash. */
const FROM_OUTSIDE = ["SIGKILL", "SIGTERM", "SIGHUP", "SIGINT"];
/** The exit codes with which a shell reports them: 128 plus the signal's number. */
const EXIT_FROM_OUTSIDE: Readonly<Record<number, string>> = {
  129: "SIGHUP",
  130: "SIGINT",
  137: "SIGKILL",
  143: "SIGTERM",
};
const NO_SPACE =
  /\b(?:ENOSPC|EDQUOT)\b|no space left on device|disk quota exceeded/i;
const NETWORK =
  /YN00(?:01|35).*(?:RequestError|ECONNRESET|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|ECONNREFUSED)|npm (?:ERR!|error) network|\b(?:ENOTFOUND|EAI_AGAIN)\b/;
const NO_PROGRAM = /command not found|Couldn't find the binary/;
const REFUSES =
  /● Validation (?:Error|Warning)|Could not find a config file|Unrecognized (?:CLI Parameter|option)|Error:/;

/** Returns whether the network may have caused a failure, so that it is worth a request to test it. Pure. */
export function suspectsNetwork(output: string): boolean {
  return NETWORK.test(output);
}

/**
 * Classifies the failure of one run, with evidence. Pure. The rules apply in this order. The decision follows from how
 * the run ended and from the state of the machine; a line of the output only shows where to look.
 * @returns null if the run passed
 */
export function classify(facts: Facts): Failing | null {
  const { outcome, exitCode, signal, output, report } = facts;
  if (outcome === "passed") return null;
  if (outcome === "no-script")
    return configuration("the package has no such script");
  if (outcome === "skipped")
    return configuration(
      `it waits for ${facts.waitsFor ?? "another unit"}, which did not pass`,
    );
  const trouble = troubleOf(facts);
  if (trouble !== null) return infrastructure(trouble);
  // The report stays valid if the machine dies after it.
  if (report && report.failedFiles.length > 0)
    return test(
      `${facts.program}'s report names ${count(report.failedTests.length, "failed test")} in ${count(report.failedFiles.length, "file")}`,
    );
  if (outcome === "timed-out")
    return infrastructure(
      `it exceeded its time limit of ${facts.timeoutMs ?? 0} ms`,
    );
  if (outcome === "cancelled")
    return infrastructure("the job was cancelled while it ran");
  const by =
    signal ??
    (exitCode === null ? null : (EXIT_FROM_OUTSIDE[exitCode] ?? null));
  if (by !== null && FROM_OUTSIDE.includes(by) && !report)
    return infrastructure(
      `it was ended by ${by}${signal === null ? ` (exit code ${exitCode ?? ""})` : ""}, without a test report`,
    );
  if (exitCode === null && signal === null)
    return infrastructure("its shell was killed");
  if (exitCode === 126 || exitCode === 127)
    return configuration(
      `a program of the script was not found (exit code ${exitCode})${withLine(output, NO_PROGRAM)}`,
    );
  if (facts.refused)
    return configuration(
      `${facts.program} rejects its settings${withLine(output, REFUSES)}`,
    );
  return test(
    signal === null
      ? `exit code ${exitCode ?? ""}`
      : `it crashed with ${signal}`,
  );
}

/** Returns the trouble of the machine that can fail any unit, whatever Jest reports; null for none. */
function troubleOf({ machine, output }: Facts): string | null {
  const { write, disk, oomKills, network } = machine;
  if (write !== null)
    return `this machine cannot write a file (${write})${withLine(output, NO_SPACE)}`;
  if (oomKills > 0)
    return `the kernel ended ${count(oomKills, "process", "processes")} because memory ran out`;
  if (disk !== null && NO_SPACE.test(output))
    return `the disk is full (${disk})${withLine(output, NO_SPACE)}`;
  if (network !== null && NETWORK.test(output))
    return `this machine can't resolve host names (${network})${withLine(output, NETWORK)}`;
  return null;
}

/**
 * Summarizes the runs of one unit on the same tree.
 * @param runs the class of each run in order, null for a run that passed; at least one
 * @returns null if the first run passed
 */
export function classifyAll(runs: readonly (Failing | null)[]): Failing | null {
  const last = runs.at(-1) ?? null;
  if (last !== null) return last;
  const before = runs.filter((run) => run !== null);
  const [first] = before;
  if (!first) return null;
  const evidence = [
    ...runs.map(
      (run, index) =>
        `run ${index + 1}: ${run === null ? "passed" : run.evidence.join("; ")}`,
    ),
  ];
  return { class: classAfterPass(before), evidence };
}

const test = (evidence: string): Failing => ({
  class: "test",
  evidence: [evidence],
});
const infrastructure = (evidence: string): Failing => ({
  class: "infrastructure",
  evidence: [evidence],
});
const configuration = (evidence: string): Failing => ({
  class: "configuration",
  evidence: [evidence],
});

/** Returns a colon and the first line that matches; empty if none does. */
function withLine(output: string, pattern: RegExp): string {
  const line = output.split("\n").find((each) => pattern.test(each));
  return line === undefined ? "" : `: ${line.trim().slice(0, 300)}`;
}
