import { isHarmlessCoverage } from "@skein/runner";
import { members, type Members } from "@skein/reporting/json";
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

/**
 * Parses the settings that our reporter wrote inside of Vitest. Pure.
 * @returns undefined if the text isn't one of its answers
 */
export function parseVitestSettings(text: string): RunSettings | undefined {
  try {
    const shown = members(JSON.parse(text) as unknown, "settings");
    const version = shown.text("version");
    const given = reportersIn(shown, "given");
    const configured = reportersIn(shown, "configured");
    const run = shown.object("run");
    const covers = run.object("coverage").unknown("enabled") === true;
    const judging = [
      ...judgingRun(run),
      ...shown.list("projects", (each) => namesOf(projectRules(each))).flat(),
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

interface Reporter {
  readonly name: string | null;
  readonly options: boolean;
}

function reportersIn(shown: Members, name: string): readonly Reporter[] {
  return shown.list(name, (each) => ({
    name: each.textOrNull("name"),
    options: each.boolean("options"),
  }));
}

/** Returns whether reporters that the command line names keep the options of the settings file: seen from version 4.1 on. */
function keepsOptions(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > 4 || (major === 4 && minor >= 1);
}

/** Returns the settings of the run that consider more than one test file. */
function judgingRun(run: Members): readonly string[] {
  const coverage = run.object("coverage");
  const covers = coverage.unknown("enabled") === true;
  const thresholds = coverage.unknown("thresholds") ?? {};
  const reports = coverage.unknown("reporter") ?? [];
  return namesOf([
    ...projectRules(run),
    ["bail", Boolean(run.unknown("bail"))],
    [
      "changed",
      Boolean(run.unknown("changed")) || Boolean(run.unknown("related")),
    ],
    ["coverage.provider", covers && coverage.unknown("provider") === "custom"],
    [
      "coverage.reporter",
      covers &&
        !(Array.isArray(reports) ? reports : [reports]).every((each: unknown) =>
          isHarmlessCoverage(String(Array.isArray(each) ? each[0] : each)),
        ),
    ],
    ["coverage.thresholds", covers && JSON.stringify(thresholds) !== "{}"],
    ["mergeReports", Boolean(run.unknown("mergeReports"))],
    // Our choice of test files would replace that of the shard.
    ["shard", Boolean(run.unknown("shard"))],
    ["watch", run.unknown("watch") === true],
  ]);
}

/**
 * Returns the rules for settings that a project may have, too. A global set-up may return its own teardown. Files that
 * aren't isolated share their modules, so that one may fail another. Type checks look at all sources.
 */
function projectRules(
  project: Members,
): readonly (readonly [string, boolean])[] {
  const pool = project.unknown("pool");
  const options = (project.unknown("poolOptions") ?? {}) as Readonly<
    Record<string, { readonly isolate?: boolean } | undefined>
  >;
  const typecheck = (project.unknown("typecheck") ?? {}) as {
    readonly enabled?: boolean;
  };
  return [
    [
      "globalSetup",
      Boolean(project.unknown("globalSetup")) &&
        JSON.stringify(project.unknown("globalSetup")) !== "[]",
    ],
    [
      "isolate",
      project.unknown("isolate") === false ||
        Object.values(options).some((each) => each?.isolate === false),
    ],
    [
      "pool",
      pool !== undefined && !(typeof pool === "string" && OWN_POOLS.has(pool)),
    ],
    ["runner", Boolean(project.unknown("runner"))],
    ["typecheck", typecheck.enabled === true],
  ];
}
