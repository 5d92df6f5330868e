/**
 * Reporters that print or write files, and never fail a run: Jest's own, and jest-junit (checked in version 17.0.0).
 */
const HARMLESS_REPORTERS =
  /^(?:default|agent|github-actions|summary|jest-junit|.*[/\\]node_modules[/\\]jest-junit[/\\].*)$/;

/** The reports of istanbul-reports: https://istanbul.js.org/docs/advanced/alternative-reporters/ */
const HARMLESS_COVERAGE = new Set(
  `clover cobertura html html-spa json json-summary lcov lcovonly none teamcity text text-lcov
  text-summary`.split(/\s+/),
);

/** Returns whether a reporter of this name never fails a run. */
export function isHarmlessReporter(name: string): boolean {
  return HARMLESS_REPORTERS.test(name);
}

/** Returns whether a coverage report of this name never fails a run. */
export function isHarmlessCoverage(name: string): boolean {
  return HARMLESS_COVERAGE.has(name);
}

type Settings = Readonly<Record<string, unknown>>;

/**
 * Returns the sorted names of the settings that judge a run of Jest as a whole; empty if each test file is judged by
 * itself. https://jestjs.io/docs/configuration
 * @param globalConfig the settings of the run, as `jest --showConfig` prints them
 * @param configs those of each project
 */
export function judgingSettings(
  globalConfig: Settings,
  configs: readonly Settings[],
): readonly string[] {
  const judging = [judgingRun(globalConfig), ...configs.map(judgingProject)];
  return [...new Set(judging.flat())].sort();
}

/** Returns the settings of the whole run that consider more than one test file. */
function judgingRun(all: Settings): readonly string[] {
  const covers = all["collectCoverage"] !== false;
  const threshold = all["coverageThreshold"];
  return namesOf([
    ["bail", all["bail"] !== 0],
    [
      "coverageThreshold",
      covers && isSet(threshold) && JSON.stringify(threshold) !== "{}",
    ],
    [
      "coverageReporters",
      covers && !namesIn(all["coverageReporters"]).every(isHarmlessCoverage),
    ],
    ["globalTeardown", isSet(all["globalTeardown"])],
    ["reporters", !namesIn(all["reporters"]).every(isHarmlessReporter)],
    // Our choice of test files would replace that of the shard.
    ["shard", isSet(all["shard"])],
    ["testResultsProcessor", isSet(all["testResultsProcessor"])],
    [
      "testSequencer",
      !/@jest[/\\]test-sequencer[/\\]/.test(String(all["testSequencer"])),
    ],
  ]);
}

/**
 * Returns the settings of one project that consider more than one test file. A runner gets all files of its project at
 * once.
 */
function judgingProject(project: Settings): readonly string[] {
  return namesOf([
    ["globalTeardown", isSet(project["globalTeardown"])],
    [
      "runner",
      !/(^|[/\\])jest-runner([/\\]|$)/.test(String(project["runner"])),
    ],
  ]);
}

/**
 * Returns the names of the settings that require a separate process for a run of Jest; empty if the run may share one.
 * They start or end programs, watch, change how the process ends, or load unknown code into it.
 * @param globalConfig the settings of the run, as Jest's `readConfigs` resolves them
 * @param configs those of each project
 */
export function unsafeSettings(
  globalConfig: Settings,
  configs: readonly Settings[],
): readonly string[] {
  const on = (name: string) => Boolean(globalConfig[name]);
  const isDefault = (setting: unknown, name: RegExp) =>
    name.test(String(setting));
  return [
    ...judgingSettings(globalConfig, configs),
    ...UNSAFE_RUN.filter(on),
    ...namesOf([
      // The other provider, v8, opens an inspector.
      [
        "coverageProvider",
        on("collectCoverage") && globalConfig["coverageProvider"] !== "babel",
      ],
      // Before Jest 29.5, one of Jest's own timers stays behind after each run.
      ["openHandlesTimeout", globalConfig["openHandlesTimeout"] === undefined],
      ["projects", configs.length !== 1],
    ]),
    ...configs.flatMap((project) =>
      namesOf([
        ["globalSetup", isSet(project["globalSetup"])],
        ["detectLeaks", project["detectLeaks"] === true],
        [
          "testRunner",
          !isDefault(
            project["testRunner"],
            /[/\\]jest-(?:circus|jasmine2)[/\\]/,
          ),
        ],
      ]),
    ),
  ];
}

/** Settings that ask for more than running tests once. */
const UNSAFE_RUN =
  `detectLeaks detectOpenHandles forceExit globalSetup notify watch watchAll
  workerIdleMemoryLimit workerThreads`.split(/\s+/);

function namesOf(rules: readonly (readonly [string, boolean])[]): string[] {
  return rules.filter(([, holds]) => holds).map(([name]) => name);
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** Returns the names of reporters. Jest lists them as strings, or as pairs of a name and its options. */
function namesIn(list: unknown): readonly string[] {
  if (!isSet(list)) return [];
  return Array.isArray(list)
    ? list.map((each: unknown) => String(Array.isArray(each) ? each[0] : each))
    : ["unknown"];
}
