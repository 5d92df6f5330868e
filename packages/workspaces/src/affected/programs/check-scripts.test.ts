import { expect, test } from "@jest/globals";
import { openCheckScripts } from "./check-scripts.js";
import { usesIn } from "./script-uses.js";
import type { Scripts, UnitFacts } from "./units.js";

interface Case {
  /** The scripts of the package `a` besides the one that checks; only `test` if they aren't given. */
  readonly scripts?: Scripts;
  /** The script of `a` that refers to something; `lint` if it isn't given. */
  readonly check?: string;
  /** The requested script; `test` if it isn't given. */
  readonly asked?: string | undefined;
  readonly root?: Scripts;
  /** The scripts of another package. */
  readonly other?: Scripts;
  /** The packages whose files call the script. */
  readonly callers?: readonly string[];
  readonly pipeline?: UnitFacts["pipeline"];
}

/** Returns the scripts for which a reference counts that only one script of `a` contains. */
function judged({
  scripts = {},
  check = "lint",
  root = {},
  other = {},
  callers = [],
  pipeline,
  ...rest
}: Case): string {
  const all: Readonly<Record<string, Scripts>> = {
    a: { [check]: "x", test: "jest", ...scripts },
    root,
    b: other,
  };
  const packages = Object.keys(all).map((name) => ({
    name,
    dir: name === "root" ? "." : name,
    dependencies: [],
  }));
  const facts: UnitFacts = {
    packages,
    packageOf: (name) => packages.find((each) => each.name === name),
    root: "root",
    scriptsOf: (name) => all[name],
    ownerOfBin: () => undefined,
    names: () => false,
    languageUsersOf: () => new Set(),
    isClosed: (path) => path === "a/closed.mjs",
    shellOf: () => undefined,
    hasFile: () => false,
    namersOf: () => new Set(),
    callersOf: () => new Set(callers),
    script: "asked" in rest ? rest.asked : "test",
    pipeline,
  };
  const use = openCheckScripts(facts, (name) => [...usesIn(name, facts)]);
  const { isAsked, spreads } = use("a", check);
  return (
    [isAsked && "a", spreads && "dependents"].filter(Boolean).join(", ") ||
    "nobody"
  );
}

const EVERYWHERE = "yarn workspaces foreach -A run lint";

test.each<[title: string, expected: string, one: Case]>([
  ["another script is requested", "nobody", {}],
  ["no script is requested", "a", { scripts: {}, asked: undefined }],
  ["it is requested", "a", { asked: "lint" }],
  ["it is a hook of the requested one", "a", { check: "pretest" }],
  [
    "the requested one calls it",
    "a",
    { scripts: { test: "yarn lint && jest" } },
  ],
  [
    "the requested one calls it by another script",
    "a",
    { scripts: { check: "npm run lint", test: "run-s check unit" } },
  ],
  [
    "the requested one calls a hook's script",
    "a",
    { scripts: { lint: "eslint .", test: "yarn lint" }, check: "prelint" },
  ],
  [
    "the requested one calls it by a pattern",
    "a",
    { scripts: { test: "run-p 'lint:*'" }, check: "lint:a" },
  ],
  [
    "the requested one calls it with a prefix",
    "a",
    { scripts: { test: "concurrently 'npm:lint' jest" } },
  ],
  [
    "a pattern of files has its name",
    "nobody",
    { scripts: { test: "jest 'lint/*'" }, check: "lint:a" },
  ],
  [
    "the requested one runs an unknown program",
    "a",
    { scripts: { test: "node run.js" } },
  ],
  [
    "the requested one runs a program that can run no other",
    "nobody",
    { scripts: { test: "node closed.mjs" } },
  ],
  ["skein.json runs it before", "a", { pipeline: { test: ["lint"] } }],
  [
    "skein.json runs it before in dependencies",
    "a, dependents",
    { pipeline: { test: ["^lint"] } },
  ],
  [
    "skein.json runs it before in this package",
    "dependents",
    { pipeline: { build: ["a#lint"] } },
  ],
  [
    "a build calls it",
    "dependents",
    { scripts: { build: "yarn lint && tsc" } },
  ],
  [
    "a build calls it with a prefix",
    "dependents",
    { scripts: { build: "concurrently 'npm:lint' tsc" } },
  ],
  ["a build runs tasks", "dependents", { scripts: { build: "nx build" } }],
  ["a check runs tasks", "nobody", { scripts: { check: "nx lint" } }],
  ["files call it", "a, dependents", { callers: ["a"] }],
  ["files of another package call it", "dependents", { callers: ["b"] }],
  [
    "another package calls it",
    "dependents",
    { other: { test: "yarn workspace a lint" } },
  ],
  [
    "another package has such a call of its own",
    "nobody",
    { other: { test: "yarn lint" } },
  ],
  [
    "another package calls it by its name alone",
    "dependents",
    { check: "lint:a", other: { test: "yarn lint:a" } },
  ],
  [
    "another package has its own script of the name",
    "nobody",
    { check: "lint:a", other: { test: "yarn lint:a", "lint:a": "y" } },
  ],
  [
    "a check of the root runs it everywhere",
    "nobody",
    { root: { lint: EVERYWHERE } },
  ],
  [
    "a build of the root runs it everywhere",
    "dependents",
    { root: { build: EVERYWHERE } },
  ],
])("a reference in a script that checks, and %s: %s", (_, expected, one) => {
  expect(judged(one)).toBe(expected);
});
