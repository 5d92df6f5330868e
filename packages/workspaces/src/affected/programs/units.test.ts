import { expect, test } from "@jest/globals";
import type { SettingsName } from "@skein/known-tools";
import { openUnits, type Scripts } from "./units.js";

const PACKAGES = [{ name: "a", dir: "packages/a", dependencies: [] }];

/** Returns how the scripts of a package `a` look settings up; of all packages, only `rust` speaks another language. */
function lookup(
  scripts: Scripts,
  settings: SettingsName,
  name = "a",
  named = "",
): string {
  const units = openUnits({
    packages: PACKAGES,
    packageOf: (each) => PACKAGES.find(({ name: own }) => own === each),
    root: "root",
    scriptsOf: (each) =>
      each === "root"
        ? {
            make: "eslint .",
            "x:all": "jest",
            "g:run": "cd $INIT_CWD && run-s",
            "g:on": "run-s && frobnicate",
            "g:in": 'concurrently "run-s -s"',
          }
        : each === "b"
          ? { test: "yarn one && yarn make", one: "jest", start: "node x.mjs" }
          : scripts,
    ownerOfBin: () => undefined,
    names: (_, external) => external === named,
    languageUsersOf: () => new Set(["rust"]),
    isClosed: (path) => path === "packages/a/closed.mjs",
    shellOf: (path) =>
      path === "packages/a/known.sh" ? "cat x ; eslint '$'" : undefined,
    hasFile: () => false,
    namersOf: () => new Set(),
    callersOf: () => new Set(),
    script: undefined,
  });
  const found = units.lookup(name, settings);
  if (!found) return "no";
  const { program, isKnown, spreads } = found;
  return `${program}${isKnown ? "" : "?"}${spreads ? " for dependents" : ""}`;
}

test.each<[scripts: Scripts, settings: SettingsName, found: string]>([
  [{ test: "eslint ." }, "eslint", "eslint"],
  [{ test: "yarn make", make: "tsc" }, "eslint", "no"],
  [{ test: "yarn make" }, "eslint", "eslint"],
  [{ test: "yarn run -T make", make: "tsc" }, "eslint", "eslint"],
  [{ test: "cd ../.. && yarn make", make: "tsc" }, "eslint", "eslint"],
  [{ test: "yarn x:all" }, "jest", "jest"],
  [{ test: "yarn workspace b test", one: "tsc" }, "jest", "jest"],
  [{ test: "yarn workspace b test", make: "tsc" }, "eslint", "eslint"],
  [{ test: "yarn workspace b test" }, "babel", "jest"],
  [{ test: "yarn workspace b one" }, "prettier", "no"],
  [{ test: "yarn workspace b run start" }, "jest", "node?"],
  [{ test: "yarn workspace b none" }, "jest", "workspace?"],
  [{ test: "yarn workspace b constructor" }, "jest", "workspace?"],
  [{ test: "yarn workspace $B test" }, "jest", "workspace?"],
  [{ test: "run-s 'x:*'", "x:one": "tsc" }, "jest", "no"],
  [{ test: "yarn --cwd ../.. make" }, "eslint", "eslint"],
  [
    { "test:debug": "node --inspect ../../node_modules/.bin/jest" },
    "eslint",
    "no",
  ],
  [{ clean: "yarn run -T rimraf dist", build: "yarn tsc" }, "babel", "no"],
  [{ test: "yarn run-s 'x:*'", "x:one": "tsc" }, "jest", "no"],
  [{ test: "yarn run-s one", one: "eslint ." }, "eslint", "eslint"],
  [{ test: "yarn run-s none" }, "babel", "none?"],
  [{ test: "yarn g:run 'y:\\*'", "y:one": "tsc" }, "babel", "no"],
  [{ test: "yarn g:run x:one", "x:one": "eslint ." }, "eslint", "eslint"],
  [{ test: "yarn g:run make" }, "eslint", "eslint"],
  [{ test: "yarn g:run none" }, "jest", "none?"],
  [{ test: "yarn g:run" }, "jest", "run-s?"],
  [{ test: "yarn g:run a.b" }, "jest", "run-s?"],
  [{ test: "yarn g:run a && yarn g:run", a: "tsc" }, "jest", "no"],
  [{ test: "yarn g:on x:one", "x:one": "tsc" }, "jest", "run-s?"],
  [{ test: "yarn g:in x:one", "x:one": "tsc" }, "jest", "run-s?"],
  [{ build: "yarn nodemon" }, "babel", "nodemon? for dependents"],
  [{ dev: "npm-watch", one: "tsc" }, "jest", "no"],
  [{ dev: "npm-watch", one: "frobnicate" }, "jest", "frobnicate?"],
  [{ dev: "npm-watch none" }, "jest", "none?"],
  [{ build: "frobnicate" }, "babel", "frobnicate? for dependents"],
  [{ test: "frobnicate" }, "babel", "frobnicate?"],
  [{ build: "frobnicate" }, "cargo", "no"],
  [{ build: "node build.js" }, "cargo", "no"],
  [{ build: "node -e 0" }, "cargo", "node? for dependents"],
  [{ build: "make" }, "cargo", "make? for dependents"],
  [{ build: "sh build.sh" }, "cargo", "build.sh? for dependents"],
  [{ build: "sh ./known.sh" }, "jest", "no"],
  [{ build: "sh ./known.sh" }, "eslint", "eslint"],
  [{ build: "./known.sh a.b && yarn b", b: "tsc" }, "jest", "no"],
  [{ build: "./known.sh && frobnicate" }, "jest", "frobnicate?"],
  [{ build: "./known.sh && node closed.mjs" }, "jest", "no"],
  [{ build: "./known.sh && node open.mjs" }, "jest", "node?"],
  [{ build: "./known.sh && sh other.sh" }, "jest", "./known.sh?"],
  [{ build: "cd x && ./known.sh" }, "jest", "./known.sh?"],
  [{ build: "bash -c ./known.sh" }, "jest", "./known.sh?"],
  [{ build: "tsx closed.mjs" }, "jest", "no"],
  [{ build: "jiti ./closed.mjs" }, "jest", "no"],
  [{ build: "tsx open.mjs" }, "jest", "tsx?"],
  [{ build: "tsx watch closed.mjs" }, "jest", "tsx?"],
  [{ build: "tsx --import ./open.mjs closed.mjs" }, "jest", "tsx?"],
  [{ build: "ts-node closed.mjs" }, "jest", "ts-node?"],
  [{ build: "./known.sh && tsx open.mjs" }, "jest", "tsx?"],
  [{ build: "cargo build" }, "cargo", "cargo for dependents"],
])("%j looks up the settings of %s: %s", (scripts, settings, found) => {
  expect(lookup(scripts, settings)).toBe(found);
});

test("a package with sources of another language may run its programs", () => {
  const scripts = { build: "frobnicate", "docs:init": "frobnicate" };
  expect(lookup(scripts, "cargo", "rust")).toBe("frobnicate? for dependents");
  expect(lookup({ "docs:init": "x" }, "cargo", "rust")).toBe("x?");
});

test.each<[program: string, settings: SettingsName, plugin: string]>([
  ["eslint", "editorconfig", "eslint-plugin-prettier"],
  ["eslint", "tailwind", "eslint-plugin-tailwindcss"],
  ["eslint", "turbo", "eslint-plugin-turbo"],
  ["eslint", "nx", "@nx/eslint-plugin"],
  ["eslint", "spelling", "@cspell/eslint-plugin"],
  ["eslint", "graphql", "@graphql-eslint/eslint-plugin"],
  ["stylelint", "editorconfig", "stylelint-prettier"],
  ["stylelint", "browserslist", "stylelint-no-unsupported-browser-features"],
  ["prettier", "tailwind", "prettier-plugin-tailwindcss"],
])("%s looks up the settings of %s with %s", (program, settings, plugin) => {
  const scripts = { lint: `${program} .` };
  expect(lookup(scripts, settings)).toBe("no");
  expect(lookup(scripts, settings, "a", plugin)).toBe(program);
  expect(lookup({ lint: "publint" }, settings, "a", plugin)).toBe("no");
});
