import type { Tool } from "../tool.js";
import { COMPILES } from "./lookups.js";

/** Programs that run tests, measure coverage, or check a package's types. */
export const TEST_RUNNERS: readonly Tool[] = [
  {
    programs: ["jest", "jest-cli"],
    purpose: "run",
    looksUp: ["jest", "mocks", ...COMPILES],
  },
  {
    programs: ["vitest"],
    purpose: "run",
    looksUp: ["vitest", "vite", "mocks", ...COMPILES],
  },
  {
    programs: ["mocha", "_mocha", "mochapack"],
    purpose: "run",
    looksUp: ["mocha", ...COMPILES],
  },
  { programs: ["ava"], purpose: "run", looksUp: ["ava", ...COMPILES] },
  {
    programs: ["tap"],
    purpose: "run",
    looksUp: ["tap", "coverage", ...COMPILES],
  },
  { programs: ["jasmine"], purpose: "run", looksUp: ["jasmine", ...COMPILES] },
  {
    programs: ["karma"],
    purpose: "run",
    looksUp: ["karma", "webpack", "rollup", "vite", ...COMPILES],
    loads: ["karma-"],
  },
  {
    programs: ["playwright"],
    packages: ["@playwright/test"],
    purpose: "run",
    looksUp: ["playwright", "vite", ...COMPILES],
  },
  {
    programs: ["cypress"],
    purpose: "run",
    looksUp: ["cypress", "vite", "webpack", ...COMPILES],
  },
  { programs: ["nyc", "c8"], purpose: "run", looksUp: ["coverage"] },
  {
    programs: ["tsd", "dtslint", "attw", "publint"],
    purpose: "check",
    looksUp: [],
  },
];
