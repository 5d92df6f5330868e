import type { FailedTest } from "../attestation.js";
import * as json from "@skein/reporting/json";
import { readRegularText } from "@skein/reporting";
import { within } from "./choose-tests.js";

/**
 * The contents of a report in the format of Jest's JSON, with paths relative to the package's folder. Our reporters for
 * Vitest and Playwright write the same format.
 */
export interface TestReport {
  readonly failedTests: readonly FailedTest[];
  /** The failed files in order. They include files that could not be loaded, which have no failed test of their own. */
  readonly failedFiles: readonly string[];
  /** Whether something besides these files failed the run, such as obsolete snapshots. */
  readonly failedBeyond: boolean;
  /** Milliseconds by test file. */
  readonly files: Readonly<Record<string, number>>;
  /** The coverage in the format of istanbul, with absolute paths; undefined for none. */
  readonly coverage: unknown;
}

/**
 * Reads a report.
 * @returns null if the file is missing or incomplete, because the program was ended before it wrote it
 */
export async function readReport(
  file: string,
  folder: string,
): Promise<TestReport | null> {
  try {
    return parseReport(await readRegularText(file), folder);
  } catch {
    return null;
  }
}

/** The members of Jest's JSON that we use. */
const jestReport = json.object({
  testResults: json.list(
    json.object({
      name: json.text,
      status: json.text,
      message: json.text,
      startTime: json.orNothing(json.number),
      endTime: json.orNothing(json.number),
      assertionResults: json.list(
        json.object({
          fullName: json.text,
          status: json.text,
          failureMessages: json.list(json.text),
        }),
      ),
    }),
  ),
  snapshot: json.optional(
    json.object({
      unchecked: json.orNothing(json.number),
      filesRemoved: json.orNothing(json.number),
    }),
  ),
  wasInterrupted: json.anything,
  runExecError: json.anything,
  coverageMap: json.anything,
});

/**
 * Parses a report.
 * @throws {Malformed} if the text isn't a report
 */
export function parseReport(text: string, folder: string): TestReport {
  const report = json.parse(text, jestReport, "report");
  const results = report.testResults.map((result) => ({
    path: result.name,
    file: within(folder, result.name),
    failed: result.status === "failed",
    message: result.message,
    ms: Math.max(0, (result.endTime ?? 0) - (result.startTime ?? 0)),
    tests: result.assertionResults.map((each) => ({
      name: each.fullName,
      failed: each.status === "failed",
      messages: each.failureMessages,
    })),
  }));
  return {
    failedTests: results.flatMap(({ path, file, failed, message, tests }) => {
      const found = tests
        .filter((each) => each.failed)
        .map(({ name, messages }) =>
          failedTest(file, name, messages.join("\n"), path),
        );
      // A file that can't be loaded has no tests that could fail.
      return failed && found.length === 0
        ? [failedTest(file, "the file cannot be run", message, path)]
        : found;
    }),
    failedFiles: [
      ...new Set(
        results
          .filter(({ failed, tests }) => failed || tests.some((t) => t.failed))
          .map(({ file }) => file),
      ),
    ],
    failedBeyond: failedBeyond(report),
    files: sumsOf(results),
    coverage: report.coverageMap,
  };
}

/** Returns the milliseconds by file. A file of several projects is there several times. */
function sumsOf(
  times: readonly { readonly file: string; readonly ms: number }[],
): Readonly<Record<string, number>> {
  const sums = new Map<string, number>();
  for (const { file, ms } of times) sums.set(file, (sums.get(file) ?? 0) + ms);
  return Object.fromEntries(
    [...sums].map(([file, ms]) => [file, Math.round(ms)]),
  );
}

/**
 * Returns whether Jest's `TestScheduler` fails the run for a reason other than test files:
 * https://jestjs.io/docs/cli#--ci
 */
function failedBeyond({
  snapshot,
  wasInterrupted,
  runExecError,
}: json.TypeOf<typeof jestReport>): boolean {
  return (
    (snapshot?.unchecked ?? 0) > 0 ||
    (snapshot?.filesRemoved ?? 0) > 0 ||
    wasInterrupted === true ||
    runExecError !== undefined
  );
}

const MOST_CHARACTERS = 4_000;

function failedTest(
  file: string,
  name: string,
  message: string,
  path: string,
): FailedTest {
  const plain = withoutColour(message);
  return {
    file,
    line: lineIn(plain, path),
    name,
    message: plain.slice(0, MOST_CHARACTERS),
  };
}

/** Returns the first line number of the test file in the stack. */
function lineIn(message: string, path: string): number | null {
  const at = message.indexOf(`${path}:`);
  const line = Number.parseInt(message.slice(at + path.length + 1), 10);
  return at >= 0 && line > 0 ? line : null;
}

function withoutColour(text: string): string {
  const escape = String.fromCharCode(27);
  return text
    .split(escape)
    .map((part, index) => (index === 0 ? part : part.replace(/^\[[\d;]*m/, "")))
    .join("");
}
