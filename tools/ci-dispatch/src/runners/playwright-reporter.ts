import { writeFileSync } from "node:fs";
import { groupBy } from "@skein/reporting/group-by";
import { textOf, writeReport, type FileResult } from "./our-reporter.js";

/** The task of the reporter in one run of Playwright. */
export interface PlaywrightTask {
  /** The file for the settings, with `--list`. */
  readonly settings?: string;
  /** The file for the results. */
  readonly report?: string;
}

/** The parts of Playwright that are used: https://playwright.dev/docs/api/class-reporter */
interface Config {
  readonly globalSetup: unknown;
  readonly globalTeardown: unknown;
  readonly maxFailures: number;
  readonly shard: unknown;
  readonly reporter: readonly (readonly [string, unknown?])[];
  readonly projects: readonly { readonly teardown?: unknown }[];
}

interface Suite {
  readonly type: string;
  readonly location?: { readonly file: string };
  readonly parent?: Suite;
  allTests(): readonly TestCase[];
}

interface PlaywrightError {
  readonly message?: string;
  readonly stack?: string;
  readonly location?: { readonly file: string };
}

interface TestCase {
  readonly parent: Suite;
  readonly expectedStatus: string;
  readonly results: readonly {
    readonly duration: number;
    readonly errors: readonly PlaywrightError[];
  }[];
  outcome(): string;
  /** Project, file, suites, and the test's own name. */
  titlePath(): readonly string[];
}

/** Creates a reporter for Playwright. It prints nothing, and writes the settings or the results. */
export function makeReporter({ settings, report }: PlaywrightTask): new () => {
  onBegin(config: Config, suite: Suite): void;
  onError(error: PlaywrightError): void;
  onEnd(result: { readonly status: string }): void;
  printsToStdio(): boolean;
} {
  return class {
    #config: Config | undefined;
    #suite: Suite | undefined;
    readonly #errors: PlaywrightError[] = [];
    onBegin(config: Config, suite: Suite) {
      this.#config = config;
      this.#suite = suite;
    }
    /** Receives errors outside of tests, such as those of a file that can't be loaded. */
    onError(error: PlaywrightError) {
      this.#errors.push(error);
    }
    onEnd({ status }: { readonly status: string }) {
      const tests = this.#suite?.allTests() ?? [];
      if (settings !== undefined && this.#config && this.#errors.length === 0)
        writeFileSync(settings, shownSettings(this.#config, tests));
      if (report === undefined) return;
      const files = [...filesOf(tests), ...brokenFiles(this.#errors)];
      writeReport(report, {
        files,
        beyond: [
          ...this.#errors.map(textOf),
          ...leftOut(tests, files),
          ...(["passed", "failed"].includes(status) ? [] : [status]),
        ],
      });
    }
    printsToStdio() {
      return false;
    }
  };
}

/** Returns the settings that matter, as JSON. */
function shownSettings(config: Config, tests: readonly TestCase[]): string {
  return JSON.stringify({
    globalSetup: Boolean(config.globalSetup),
    globalTeardown: Boolean(config.globalTeardown),
    maxFailures: config.maxFailures,
    reporters: config.reporter.map(([name]) => name),
    shard: Boolean(config.shard),
    teardown: config.projects.some(({ teardown }) => Boolean(teardown)),
    files: [...new Set(tests.map(fileOf))].sort(),
  });
}

/** Returns the file that Playwright loads for a test. The test itself may be written in a file that this one imports. */
function fileOf({ parent }: TestCase): string {
  let suite: Suite | undefined = parent;
  while (suite && suite.type !== "file") suite = suite.parent;
  return suite?.location?.file ?? "";
}

function filesOf(tests: readonly TestCase[]): readonly FileResult[] {
  return [...groupBy(tests, fileOf)].map(([path, own]) => ({
    path,
    failed: own.some(hasFailed),
    ms: own
      .flatMap(({ results }) => results)
      .reduce((sum, { duration }) => sum + duration, 0),
    errors: [],
    tests: own.map((test) => ({
      name: nameOf(test),
      failed: hasFailed(test),
      messages: (test.results.at(-1)?.errors ?? []).map(textOf),
    })),
  }));
}

function hasFailed(test: TestCase): boolean {
  return test.outcome() === "unexpected";
}

/** Returns the project, if it has a name, the suites and the test, as Playwright's own list shows them. */
function nameOf(test: TestCase): string {
  const [, project = "", , ...names] = test.titlePath();
  return [...(project === "" ? [] : [`[${project}]`]), ...names].join(" › ");
}

/** Returns the files that can't be loaded. Playwright runs no test then. */
function brokenFiles(
  errors: readonly PlaywrightError[],
): readonly FileResult[] {
  return errors.flatMap((error) =>
    error.location
      ? [
          {
            path: error.location.file,
            failed: true,
            ms: 0,
            errors: [textOf(error)],
            tests: [],
          },
        ]
      : [],
  );
}

/**
 * Returns tests of files without a failed test that did not run, although nothing in the files skips them: those of a project
 * whose dependencies failed. A run of only the failed files would not run them.
 */
function leftOut(
  tests: readonly TestCase[],
  files: readonly FileResult[],
): readonly string[] {
  const failed = new Set(
    files.filter((file) => file.failed).map(({ path }) => path),
  );
  return tests
    .filter(
      (test) =>
        test.outcome() === "skipped" &&
        (test.results.length === 0 || test.expectedStatus !== "skipped") &&
        !failed.has(fileOf(test)),
    )
    .map((test) => `did not run: ${nameOf(test)}`);
}
