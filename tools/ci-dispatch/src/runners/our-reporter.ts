import { writeFileSync } from "node:fs";

/** A test file's results, as our reporters collect them inside a program. */
export interface FileResult {
  /** The absolute path. */
  readonly path: string;
  readonly failed: boolean;
  readonly ms: number;
  /** The errors of the file itself, such as one that can't be loaded. */
  readonly errors: readonly string[];
  readonly tests: readonly {
    readonly name: string;
    readonly failed: boolean;
    readonly messages: readonly string[];
  }[];
}

export interface RunResult {
  readonly files: readonly FileResult[];
  /** Why the run failed besides its files; empty if nothing else failed it. */
  readonly beyond: readonly string[];
  /** The coverage in the format of istanbul; undefined for none. */
  readonly coverage?: unknown;
}

/** Writes the results in the format of Jest's JSON report, which `parseReport` reads. */
export function writeReport(
  report: string,
  { files, beyond, coverage }: RunResult,
): void {
  writeFileSync(
    report,
    JSON.stringify({
      testResults: files.map(({ path, failed, ms, errors, tests }) => ({
        name: path,
        status: failed ? "failed" : "passed",
        message: errors.join("\n"),
        startTime: 0,
        endTime: ms,
        assertionResults: tests.map((test) => ({
          fullName: test.name,
          status: test.failed ? "failed" : "passed",
          failureMessages: test.messages,
        })),
      })),
      ...(beyond.length > 0 && {
        runExecError: { message: beyond.join("\n") },
      }),
      ...(coverage !== undefined && { coverageMap: coverage }),
    }),
  );
}

/** Returns an error's text: its message, and its stack, which contains the line. */
export function textOf({
  message = "",
  stack = "",
}: {
  readonly message?: string | undefined;
  readonly stack?: string | undefined;
}): string {
  return stack.includes(message) ? stack : `${message}\n${stack}`;
}
