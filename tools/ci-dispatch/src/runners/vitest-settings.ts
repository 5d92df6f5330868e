import { isHarmlessCoverage } from "@skein/runner";
import * as json from "@skein/reporting/json";
import type { RunSettings } from "./test-runner.js";
import { namesOf } from "./words.js";

/** Vitest's own reporters, which print or write files, and never fail a run: https://vitest.dev/guide/reporters */
const HARMLESS_REPORTERS = new Set(
  `agent basic blob default dot github-actions hanging-process html json junit minimal tap
  tap-flat tree verbose`.split(/\s+/),
);
const OWN_POOLS = new Set([
  "browser",
  "forks",
  "threads",
  "typescript",
  "vmForks",
  "vmThreads",
]);

/** Returns whether a reporter of this name is one of Vitest's own, so that it never fails a run. */
export function isHarmlessVitestReporter(name: string | null): boolean {
  return name !== null && HARMLESS_REPORTERS.has(name);
}

/** A reporter; its name is null if it isn't chosen by name. */
const reporter = json.object({
  name: json.orNull(json.text),
  options: json.boolean,
});

/** The settings of a run or of a project, which depend on Vitest's version. */
const settings = json.byName(json.anything);
type Settings = json.TypeOf<typeof settings>;

/** The text that our reporter writes. */
const shownSettings = json.object({
  version: json.text,
  given: json.list(reporter),
  configured: json.list(reporter),
  run: settings,
  projects: json.list(settings),
});

/**
 * Parses the settings that our reporter wrote inside of Vitest. Pure.
 * @returns undefined if the text isn't one of its answers
 */
export function parseVitestSettings(text: string): RunSettings | undefined {
  try {
    const shown = json.parse(text, shownSettings, "settings");
    const { version, given, configured, run, projects } = shown;
    const coverage = settings(run["coverage"], "coverage");
    const covers = coverage["enabled"] === true;
    const judging = [
      ...judgingRun(run, coverage),
      ...projects.flatMap((each) => namesOf(projectRules(each))),
      ...([...given, ...configured].every(({ name }) =>
        isHarmlessVitestReporter(name),
      ) && configured.every(({ options }) => !options || keepsOptions(version))
        ? []
        : ["reporters"]),
    ];
    const canReport = given.length > 0 || !judging.includes("reporters");
    return {
      judging: [...new Set(judging)].sort(),
      failureExitCode: 1,
      // Otherwise it removes the files of another shard that runs in the same folder.
      ...(covers && { partArgs: ["--coverage.clean=false"] }),
      ...(canReport && {
        reporters:
          given.length + configured.length === 0
            ? ["default"]
            : configured.flatMap(({ name }) => name ?? []),
      }),
    };
  } catch {
    return undefined;
  }
}

/** Returns whether reporters that the command line names keep the options of the settings file: seen from version 4.1 on. */
function keepsOptions(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > 4 || (major === 4 && minor >= 1);
}

/** Returns the settings of the run that consider more than one test file. */
function judgingRun(run: Settings, coverage: Settings): readonly string[] {
  const covers = coverage["enabled"] === true;
  const thresholds = coverage["thresholds"] ?? {};
  const reports = coverage["reporter"] ?? [];
  return namesOf([
    ...projectRules(run),
    ["bail", Boolean(run["bail"])],
    ["changed", Boolean(run["changed"]) || Boolean(run["related"])],
    ["coverage.provider", covers && coverage["provider"] === "custom"],
    [
      "coverage.reporter",
      covers &&
        !(Array.isArray(reports) ? reports : [reports]).every((each: unknown) =>
          isHarmlessCoverage(String(Array.isArray(each) ? each[0] : each)),
        ),
    ],
    ["coverage.thresholds", covers && JSON.stringify(thresholds) !== "{}"],
    ["mergeReports", Boolean(run["mergeReports"])],
    // Our choice of test files would replace that of the shard.
    ["shard", Boolean(run["shard"])],
    ["watch", run["watch"] === true],
  ]);
}

/**
 * Returns the rules for settings that a project may have, too. A global set-up may return its own teardown. Files that
 * aren't isolated share their modules, so that one may fail another. Type checks look at all sources.
 */
function projectRules(
  project: Settings,
): readonly (readonly [string, boolean])[] {
  const pool = project["pool"];
  const options = (project["poolOptions"] ?? {}) as Readonly<
    Record<string, { readonly isolate?: boolean } | undefined>
  >;
  const typecheck = (project["typecheck"] ?? {}) as {
    readonly enabled?: boolean;
  };
  return [
    [
      "globalSetup",
      Boolean(project["globalSetup"]) &&
        JSON.stringify(project["globalSetup"]) !== "[]",
    ],
    [
      "isolate",
      project["isolate"] === false ||
        Object.values(options).some((each) => each?.isolate === false),
    ],
    [
      "pool",
      pool !== undefined && !(typeof pool === "string" && OWN_POOLS.has(pool)),
    ],
    ["runner", Boolean(project["runner"])],
    ["typecheck", typecheck.enabled === true],
  ];
}
