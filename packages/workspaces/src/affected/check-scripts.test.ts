import { expect, test } from "@jest/globals";
import { openCheckScripts } from "./check-scripts.js";
import { usesIn } from "./script-uses.js";
import type { Scripts, UnitFacts } from "./units.js";

interface Case {
  /** The scripts of the package `a`. */
  readonly scripts: Scripts;
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
  scripts,
  check = "lint",
  root = {},
  other = {},
  callers = [],
  pipeline,
  ...rest
}: Case): string {
  const all: Readonly<Record<string, Scripts>> = { a: scripts, root, b: other };
  const packages = Object.keys(all).map((name) => ({
    name,
    dir: name === "root" ? "." : name,
    dependencies: [],
  }));
  const facts: UnitFacts = {
    packages,
    root: "root",
    scriptsOf: (name) => all[name],
    ownerOfBin: () => undefined,
    names: () => false,
    languageUsersOf: () => new Set(),
    isClosed: (path) => path === "a/closed.mjs",
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

test.each<[title: string, one: Case, expected: string]>([
  [
    "another script is requested",
    { scripts: { lint: "x", test: "jest" } },
    "nobody",
  ],
  ["no script is requested", { scripts: { lint: "x" }, asked: undefined }, "a"],
  ["it is requested", { scripts: { lint: "x" }, asked: "lint" }, "a"],
  [
    "it is a hook of the requested one",
    { scripts: { pretest: "x", test: "jest" }, check: "pretest" },
    "a",
  ],
  [
    "the requested one calls it",
    { scripts: { lint: "x", test: "yarn lint && jest" } },
    "a",
  ],
  [
    "the requested one calls it by another script",
    { scripts: { lint: "x", check: "npm run lint", test: "run-s check unit" } },
    "a",
  ],
  [
    "the requested one calls a hook's script",
    {
      scripts: { prelint: "x", lint: "eslint .", test: "yarn lint" },
      check: "prelint",
    },
    "a",
  ],
  [
    "the requested one calls it by a pattern",
    { scripts: { "lint:a": "x", test: "run-p 'lint:*'" }, check: "lint:a" },
    "a",
  ],
  [
    "the requested one calls it with a prefix",
    { scripts: { lint: "x", test: "concurrently 'npm:lint' jest" } },
    "a",
  ],
  [
    "a pattern of files has its name",
    { scripts: { "lint:a": "x", test: "jest 'lint/*'" }, check: "lint:a" },
    "nobody",
  ],
  [
    "the requested one runs an unknown program",
    { scripts: { lint: "x", test: "node run.js" } },
    "a",
  ],
  [
    "the requested one runs a program that can run no other",
    { scripts: { lint: "x", test: "node closed.mjs" } },
    "nobody",
  ],
  [
    "skein.json runs it before",
    { scripts: { lint: "x", test: "jest" }, pipeline: { test: ["lint"] } },
    "a",
  ],
  [
    "skein.json runs it before in dependencies",
    { scripts: { lint: "x", test: "jest" }, pipeline: { test: ["^lint"] } },
    "a, dependents",
  ],
  [
    "skein.json runs it before in this package",
    { scripts: { lint: "x", test: "jest" }, pipeline: { build: ["a#lint"] } },
    "dependents",
  ],
  [
    "a build calls it",
    { scripts: { lint: "x", build: "yarn lint && tsc", test: "jest" } },
    "dependents",
  ],
  [
    "a build calls it with a prefix",
    {
      scripts: {
        lint: "x",
        build: "concurrently 'npm:lint' tsc",
        test: "jest",
      },
    },
    "dependents",
  ],
  [
    "a build runs tasks",
    { scripts: { lint: "x", build: "nx build", test: "jest" } },
    "dependents",
  ],
  [
    "a check runs tasks",
    { scripts: { lint: "x", check: "nx lint", test: "jest" } },
    "nobody",
  ],
  [
    "files call it",
    { scripts: { lint: "x", test: "jest" }, callers: ["a"] },
    "a, dependents",
  ],
  [
    "files of another package call it",
    { scripts: { lint: "x", test: "jest" }, callers: ["b"] },
    "dependents",
  ],
  [
    "another package calls it",
    {
      scripts: { lint: "x", test: "jest" },
      other: { test: "yarn workspace a lint" },
    },
    "dependents",
  ],
  [
    "another package has such a call of its own",
    { scripts: { lint: "x", test: "jest" }, other: { test: "yarn lint" } },
    "nobody",
  ],
  [
    "another package calls it by its name alone",
    {
      scripts: { "lint:a": "x", test: "jest" },
      check: "lint:a",
      other: { test: "yarn lint:a" },
    },
    "dependents",
  ],
  [
    "another package has its own script of the name",
    {
      scripts: { "lint:a": "x", test: "jest" },
      check: "lint:a",
      other: { test: "yarn lint:a", "lint:a": "y" },
    },
    "nobody",
  ],
  [
    "a check of the root runs it everywhere",
    {
      scripts: { lint: "x", test: "jest" },
      root: { lint: "yarn workspaces foreach -A run lint" },
    },
    "nobody",
  ],
  [
    "a build of the root runs it everywhere",
    {
      scripts: { lint: "x", test: "jest" },
      root: { build: "yarn workspaces foreach -A run lint" },
    },
    "dependents",
  ],
])("a reference in a script that checks, and %s", (_, one, expected) => {
  expect(judged(one)).toBe(expected);
});
