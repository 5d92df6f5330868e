import { expect, test } from "@jest/globals";
import { parseSettings } from "@skein/workspaces";
import { alterationsOf, type Deciding } from "./alterations.js";

const deciding = (
  settings: unknown,
  more: Partial<Deciding> = {},
): Deciding => ({
  settings: parseSettings(JSON.stringify(settings)),
  workspaces: ["packages/*"],
  scripts: new Map(),
  ...more,
});

test.each<[string, Deciding, Deciding, readonly string[]]>([
  ["nothing", deciding({}), deciding({}), []],
  [
    "a setting to its default",
    deciding({}),
    deciding({ dispatch: { scripts: ["test"] } }),
    [],
  ],
  [
    "how long a job should take",
    deciding({}),
    deciding({ dispatch: { targetSeconds: 9, retries: 0 } }),
    [],
  ],
  [
    "ignored files, including skein.json",
    deciding({}),
    deciding({ affected: { ignore: ["**/*"] } }),
    ["skein.json changes affected.ignore"],
  ],
  [
    "the scripts, and the default branch",
    deciding({ dispatch: { application: { lint: "lint" } } }),
    deciding({ defaultBranch: "x", dispatch: { scripts: ["check"] } }),
    [
      "skein.json changes defaultBranch",
      "skein.json changes dispatch.scripts",
      "skein.json changes dispatch.application",
    ],
  ],
  [
    "the reuse, and the share that is checked",
    deciding({ dispatch: { reuse: "never" }, cache: { env: ["A", "B"] } }),
    deciding({ dispatch: { recheck: 0 }, cache: { env: ["A", "!B"] } }),
    [
      "skein.json changes dispatch.reuse",
      "skein.json changes dispatch.recheck",
      "skein.json changes cache.env",
    ],
  ],
  [
    "invalid settings",
    { ...deciding({}), settings: undefined },
    deciding({}),
    ["skein.json cannot be read at the base"],
  ],
  [
    "the packages",
    deciding({}),
    deciding({}, { workspaces: [] }),
    ["package.json changes workspaces"],
  ],
])("a change of %s", (_what, before, after, alters) => {
  expect(alterationsOf(before, after, [], [])).toEqual(alters);
});

test("a removed script, and a changed workflow", () => {
  const scripts = new Map([["packages/a", ["test"]]]);
  const skips = ["a", "b"].map((name) => ({
    workspace: name,
    dir: `packages/${name}`,
    script: "test",
  }));
  const changed = [".github/workflows/ci.yml", "docs/.github/workflows/x.yml"];
  expect(
    alterationsOf(deciding({}, { scripts }), deciding({}), skips, changed),
  ).toEqual(["a loses its script test", "it changes .github/workflows/ci.yml"]);
});
