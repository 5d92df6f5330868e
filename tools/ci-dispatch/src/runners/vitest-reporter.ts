import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { chooseTests, type Choice } from "./choose-tests.js";
import { textOf, writeReport, type FileResult } from "./our-reporter.js";

/** The task of the reporter in one run of Vitest. */
export interface VitestTask {
  /** Its own module, as Vitest's settings name it. */
  readonly self: string;
  /** The file for the settings; the run then ends before any test. */
  readonly settings?: string;
  /** The file for the results. */
  readonly report?: string;
  readonly choice?: Choice;
}

/** The process that Vitest runs in. */
interface VitestProcess {
  readonly argv: readonly string[];
  exit(code: number): void;
}

/** A test file in a project: https://vitest.dev/api/advanced/test-specification. Before Vitest 3 it was a pair. */
interface Specification {
  readonly moduleId?: string;
  readonly 1?: unknown;
}

/** A class of sequencers: https://vitest.dev/config/#sequence-sequencer. */
type Sequencer = new (...args: readonly unknown[]) => {
  shard(specs: readonly Specification[]): unknown;
};

/** Settings that matter: https://vitest.dev/config/. Those of a run and of a project have the same names. */
const SETTINGS = [
  "bail",
  "changed",
  "globalSetup",
  "isolate",
  "mergeReports",
  "pool",
  "poolOptions",
  "related",
  "runner",
  "shard",
  "typecheck",
  "watch",
] as const;

/** A reporter in resolved settings: its name and options, or an object of the settings file. */
type Reporter = readonly [unknown, object?] | object | string;

type Config = Readonly<Record<string, unknown>> & {
  readonly coverage?: Readonly<Record<string, unknown>>;
  readonly reporters?: readonly Reporter[];
};

interface VitestError {
  readonly message?: string;
  readonly stack?: string;
}

interface Task {
  readonly name: string;
  readonly type: string;
  readonly filepath?: string;
  readonly tasks?: readonly Task[];
  readonly collectDuration?: number;
  readonly result?: {
    readonly state?: string;
    readonly duration?: number;
    readonly errors?: readonly VitestError[];
  };
}

/** The parts of Vitest that are used: https://vitest.dev/api/advanced/vitest. They are the same in versions 2 to 5. */
interface Vitest {
  readonly version: string;
  readonly config: Config & { sequence: { sequencer: Sequencer } };
  readonly projects?: readonly { readonly config: Config }[];
  readonly vite?: { readonly config: { readonly configFile?: string } };
  readonly server?: { readonly config: { readonly configFile?: string } };
  readonly state: {
    getFiles(): readonly Task[];
    getUnhandledErrors(): readonly unknown[];
  };
}

/**
 * Creates a reporter for Vitest, which hands itself to it before the first test. In a probe, the reporter writes the
 * settings and ends the process. Otherwise it replaces the part of the sequencer that chooses the files of a shard, and
 * writes the results. The sequencer in Vitest's settings still sorts the files. If a version of Vitest doesn't
 * ask the sequencer, all files run.
 */
export function makeReporter(
  task: VitestTask,
  process: VitestProcess,
): new () => {
  onInit(vitest: Vitest): Promise<void>;
  onCoverage(coverage: unknown): void;
  onTestRunEnd(modules: unknown, errors: unknown, reason?: string): void;
  onFinished(files: unknown, errors: unknown): void;
} {
  return class {
    #vitest: Vitest | undefined;
    #coverage: unknown;
    #interrupted: boolean | undefined;
    async onInit(vitest: Vitest) {
      this.#vitest = vitest;
      if (task.settings !== undefined) {
        const [, program = ""] = process.argv;
        const shown = settingsOf(vitest, task.self, program);
        // Without an answer, the settings are unknown. No test may run in any case.
        writeFileSync(task.settings, await shown.catch(() => ""));
        process.exit(0);
      }
      if (task.choice) choose(vitest, task.choice);
    }
    onCoverage(coverage: unknown) {
      this.#coverage = coverage;
      if (this.#interrupted !== undefined) this.#write();
    }
    onTestRunEnd(_modules: unknown, _errors: unknown, reason?: string) {
      this.#interrupted = reason === "interrupted";
      this.#write();
    }
    /** Versions before 3 call this instead. */
    onFinished() {
      this.#interrupted ??= false;
      this.#write();
    }
    #write() {
      if (!this.#vitest || task.report === undefined) return;
      const { state } = this.#vitest;
      writeReport(task.report, {
        files: state.getFiles().map(fileResult),
        beyond: [
          ...state.getUnhandledErrors().map((e) => textOf(e as VitestError)),
          ...(this.#interrupted === true ? ["interrupted"] : []),
        ],
        coverage: this.#coverage,
      });
    }
  };
}

/** Replaces the choice of a shard's files. */
function choose({ config }: Vitest, choice: Choice): void {
  const Base = config.sequence.sequencer;
  config.sequence.sequencer = class extends Base {
    override shard(specs: readonly Specification[]) {
      const tests = specs.map((spec) => ({
        path: spec.moduleId ?? String(spec[1]),
        spec,
      }));
      return chooseTests(tests, choice).map(({ spec }) => spec);
    }
  };
}

/**
 * Returns the resolved settings, as JSON. The command line names our reporter, which replaces those of the settings
 * file. So the file is resolved again, without it: https://vitest.dev/api/advanced/#resolveconfig
 */
async function settingsOf(
  vitest: Vitest,
  self: string,
  program: string,
): Promise<string> {
  const { config, version, projects = [] } = vitest;
  const given = (config.reporters ?? []).filter(
    (each) => reporterIn(each).name !== self,
  );
  const name = createRequire(program).resolve("vitest/node");
  const node = (await import(pathToFileURL(name).href)) as {
    /** Before version 5 it returned Vitest's settings under their own name. */
    resolveConfig(options: object): Promise<{
      readonly vitestConfig?: Config;
      readonly test?: Config;
    }>;
  };
  const file = (vitest.vite ?? vitest.server)?.config.configFile;
  const resolved =
    given.length > 0
      ? undefined
      : await node.resolveConfig({
          root: config["root"],
          mode: config["mode"],
          // Without a file, Vitest would search for one.
          config: file ?? false,
        });
  const own = (resolved?.vitestConfig ?? resolved?.test)?.reporters ?? [];
  return JSON.stringify({
    version,
    run: settingsIn(config),
    projects: projects.map((project) => settingsIn(project.config)),
    given: given.map(reporterIn),
    configured: own.map(reporterIn),
  });
}

/** Returns the settings that matter, without functions and objects of programs. */
function settingsIn({ coverage = {}, ...config }: Config): object {
  const { enabled, provider, reporter, thresholds } = coverage;
  return {
    ...Object.fromEntries(SETTINGS.map((name) => [name, config[name]])),
    coverage: { enabled, provider, reporter, thresholds },
  };
}

/** Returns the name of a reporter, null for an object, and whether it has options. */
function reporterIn(reporter: Reporter): {
  readonly name: string | null;
  readonly options: boolean;
} {
  const pair: readonly unknown[] = Array.isArray(reporter)
    ? reporter
    : [reporter];
  const [name, options] = pair as readonly [unknown?, object?];
  return {
    name: typeof name === "string" ? name : null,
    options: Object.keys(options ?? {}).length > 0,
  };
}

function fileResult(file: Task): FileResult {
  const { duration = 0 } = file.result ?? {};
  return {
    path: file.filepath ?? file.name,
    failed: file.result?.state === "fail",
    ms: duration + (file.collectDuration ?? 0),
    errors: errorsIn(file),
    tests: testsIn(file, []),
  };
}

/** Returns the errors of a file and of its suites, such as those of a hook. */
function errorsIn(task: Task): readonly string[] {
  if (!task.tasks) return [];
  const own = (task.result?.errors ?? []).map(textOf);
  return [...own, ...task.tasks.flatMap(errorsIn)];
}

function testsIn(
  { tasks = [] }: Task,
  suites: readonly string[],
): FileResult["tests"] {
  return tasks.flatMap((task) => {
    const names = [...suites, task.name];
    if (task.tasks) return testsIn(task, names);
    return [
      {
        name: names.join(" "),
        failed: task.result?.state === "fail",
        messages: (task.result?.errors ?? []).map(textOf),
      },
    ];
  });
}
