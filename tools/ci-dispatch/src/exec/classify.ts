import { count } from "@skein/reporting";
import type { Failing, FailedTest, Outcome } from "../attestation.js";

/** What is known of one run of a unit. */
export interface Facts {
  readonly outcome: Outcome;
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** The end of what it printed. */
  readonly output: string;
  readonly timeoutMs: number | null;
  /** Jest's own report; null where there is none. */
  readonly report: {
    readonly failedTests: readonly FailedTest[];
    readonly failedFiles: readonly string[];
  } | null;
  /** Whether the runner should have written a report. */
  readonly reports: boolean;
  /** The unit it waits for that failed first. */
  readonly waitsFor: string | null;
}

/** Signals that end a program from outside; any other is a crash of its own. */
const FROM_OUTSIDE = ["SIGKILL", "SIGTERM", "SIGHUP", "SIGINT"];
/** How a shell reports them: 128 and the signal's number. */
const EXIT_FROM_OUTSIDE: Readonly<Record<number, string>> = {
  129: "SIGHUP",
  130: "SIGINT",
  137: "SIGKILL",
  143: "SIGTERM",
};

const NO_SPACE = /\bENOSPC\b|no space left on device/i;
const NETWORK =
  /YN00(?:01|35).*(?:RequestError|ECONNRESET|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|ECONNREFUSED)|npm (?:ERR!|error) network|getaddrinfo (?:ENOTFOUND|EAI_AGAIN)/;
const NO_PROGRAM = /command not found|Couldn't find the binary/;
const JEST_REFUSES =
  /● Validation Error|No tests found, exiting|Could not find a config file|Unrecognized (?:CLI Parameter|option)/;

/**
 * Says of which class the failure of one run is, by these rules in this order, with the evidence. Pure. A report of
 * failed tests outweighs everything that happened afterwards: a machine that dies later does not unsay them.
 * @returns null where it passed
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
  if (report && report.failedFiles.length > 0)
    return test(
      `Jest's report names ${count(report.failedTests.length, "failed test")} in ${count(report.failedFiles.length, "file")}`,
    );
  if (outcome === "timed-out")
    return infrastructure(`it had not ended after ${facts.timeoutMs ?? 0} ms`);
  if (outcome === "cancelled")
    return infrastructure("the job was ended from outside while it ran");
  const by =
    signal ??
    (exitCode === null ? null : (EXIT_FROM_OUTSIDE[exitCode] ?? null));
  if (by !== null && FROM_OUTSIDE.includes(by) && !report)
    return infrastructure(
      `it was ended by ${by}${signal === null ? ` (exit code ${exitCode ?? ""})` : ""}, without a test report`,
    );
  if (exitCode === null && signal === null)
    return infrastructure("its shell was ended from outside");
  if (NO_SPACE.test(output))
    return infrastructure(`no space is left: ${lineOf(output, NO_SPACE)}`);
  if (NETWORK.test(output) && !report)
    return infrastructure(`the network failed: ${lineOf(output, NETWORK)}`);
  if (exitCode === 126 || exitCode === 127 || NO_PROGRAM.test(output))
    return configuration(
      `a program of the script is not there (exit code ${exitCode ?? ""})${NO_PROGRAM.test(output) ? `: ${lineOf(output, NO_PROGRAM)}` : ""}`,
    );
  if (facts.reports && !report && JEST_REFUSES.test(output))
    return configuration(`Jest did not start: ${lineOf(output, JEST_REFUSES)}`);
  return test(
    signal === null ? `exit code ${exitCode ?? ""}` : `it crashed by ${signal}`,
  );
}

/**
 * Sums up the runs of one unit on the same tree.
 * @param runs the class of each run, null where it passed; at least one, in order
 * @returns null where it passed at once
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
  // A machine's failure that passed is no flake of the test: it says nothing about it.
  return before.every((run) => run.class === "infrastructure")
    ? { class: "infrastructure", evidence }
    : { class: "flaky", evidence };
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

function lineOf(output: string, pattern: RegExp): string {
  const line = output.split("\n").find((each) => pattern.test(each)) ?? "";
  return line.trim().slice(0, 300);
}
