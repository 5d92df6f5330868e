import type { Measured } from "../history/measure.js";
import type { PlanInput } from "./make-plan.js";

/** The default time limits of units. */
export const timeout = {
  ...{ factor: 3, minSeconds: 60 },
  ...{ unknownSeconds: 600, maxSeconds: 1800 },
};

/** Returns a plan's input with an affected package and its test files for each entry of `packages`. */
export function planInput(
  packages: Readonly<Record<string, readonly string[]>>,
  more: Partial<PlanInput> = {},
): PlanInput {
  const names = Object.keys(packages);
  return {
    root: "root",
    workspaces: [
      { name: "root", dir: ".", scripts: { lint: "eslint .", test: "jest" } },
      ...names.map((name) => ({
        name,
        dir: `packages/${name}`,
        scripts: { test: "jest" },
      })),
    ],
    affected: [
      {
        base: "b".repeat(40),
        head: "a".repeat(40),
        script: null,
        root: "root",
        packages: names.map((name) => ({
          name,
          dir: `packages/${name}`,
          why: `file packages/${name}/index.js`,
        })),
        unknown: [],
      },
    ],
    scripts: ["test"],
    application: [],
    history: new Map(),
    testFiles: new Map(Object.entries(packages)),
    judging: new Map(),
    ...more,
    options: {
      jobs: undefined,
      targetMs: 300_000,
      maxJobs: 20,
      setupMs: 40_000,
      onePackagePerJob: false,
      timeout,
      retries: 1,
      ...more.options,
    },
  };
}

/** Returns a unit's measurements in the history. */
export function measured(
  p90Ms: number,
  files: Readonly<Record<string, number>> = {},
): Measured {
  return {
    runs: 12,
    p90Ms,
    files: new Map(Object.entries(files)),
    flakes: 0,
  };
}
