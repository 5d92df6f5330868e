import { expect, test } from "@jest/globals";
import type { Look } from "./look.js";
import { planInit } from "./plan-init.js";
import { workflowText } from "./workflow-texts.js";
import {
  PIN,
  manifest,
  look,
  workflow,
  paths,
  written,
  settings,
} from "./plan-init.test.support.js";

test("a plain workspace gets the tools, the workflows and a line of .gitignore", () => {
  const plan = planInit(look());
  expect(plan.files.map(({ path, before }) => [path, before])).toEqual([
    ["package.json", manifest],
    ["skein.json", undefined],
    [workflow("ci.yml"), undefined],
    [workflow("reporter.yml"), undefined],
    [workflow("metrics.yml"), undefined],
    [".gitignore", undefined],
  ]);
  expect(plan.files[0]?.after).toBe(
    '{\n  "name": "shop",\n  "devDependencies": {\n    "@skein/affected": "0.1.0",\n    "@skein/ci-dispatch": "0.1.0"\n  }\n}\n',
  );
  expect(plan.files[2]?.after)
    .toBe(`# Written for Skein 0.1.0, by \`affected init\`, which updates it while it is unchanged. sha256: 3462a246ba83efc2
name: CI
on: { pull_request: {}, merge_group: {}, push: { branches: [main] } }
permissions: {}
jobs:
  ci:
    permissions:
      { actions: read, contents: write, checks: write, pull-requests: write }
    uses: skein-tools/skein/.github/workflows/ci-dispatch.yml@${PIN} # v0.1.0
`);
  expect([plan.check, plan.peer, plan.kept]).toEqual([
    "ci / verdict",
    undefined,
    [],
  ]);
  expect(plan.notes).toEqual([
    "the metrics workflow publishes a dashboard: Settings, Pages, Source: GitHub Actions",
    '2 of 2 packages have a script "test"; 2 of them run Jest, Vitest or Playwright, whose files can be split over jobs',
  ]);
});

test("a second run writes nothing, and a new release updates the files", () => {
  const first = look({}, { plugin: "// plugin\n" });
  const files = {
    ...first.files,
    ...Object.fromEntries(
      planInit(first).files.map((file) => [file.path, file.after]),
    ),
  };
  const again = { ...first, files };
  expect(paths(again)).toEqual([]);
  const next = { ...again, version: "0.2.0", pin: "2".repeat(40) };
  expect(paths(next)).toEqual([
    "package.json",
    workflow("ci.yml"),
    workflow("reporter.yml"),
    workflow("metrics.yml"),
  ]);
  const ci = files[workflow("ci.yml")]?.replace("main", "trunk") ?? "";
  const changed = { ...next, files: { ...files, [workflow("ci.yml")]: ci } };
  expect(planInit(changed).kept).toContainEqual({
    path: workflow("ci.yml"),
    isStale: true,
    why: `it was changed after init wrote it; pin it by ${"2".repeat(40)} # v0.2.0`,
  });
  expect(paths(changed)).not.toContain(workflow("ci.yml"));
});

test.each<[string, Look, readonly string[], string]>([
  [
    "another workflow is called ci.yml and CI",
    look({ [workflow("ci.yml")]: "name: CI\non: push\n" }),
    ["skein.yml", "reporter.yml", "metrics.yml"],
    "Skein",
  ],
  [
    "another workflow is called ci.yaml",
    look({ [workflow("ci.yaml")]: "name: 'Tests' # all\n" }),
    ["skein.yml", "reporter.yml", "metrics.yml"],
    "CI",
  ],
  [
    "all names are taken",
    look({
      [workflow("ci.yml")]: "on: push\n",
      [workflow("reporter.yml")]: "name: x\n",
      [workflow("metrics.yml")]: "\n",
    }),
    ["skein.yml", "skein-reporter.yml", "skein-metrics.yml"],
    "CI",
  ],
])("workflows: %s", (_, asked, files, name) => {
  expect(paths(asked).filter((path) => path.startsWith(".github/"))).toEqual(
    files.map(workflow),
  );
  const [ci = "", reporter = ""] = files.map((file) =>
    written(asked, workflow(file)),
  );
  expect(ci).toContain(`\nname: ${name}\n`);
  expect(reporter).toContain(`workflows: [${name}]`);
  expect(settings(asked)).toEqual(
    files[0] === "ci.yml" ? {} : { workflow: files[0] },
  );
});

test.each<[string, Look, string]>([
  [
    "a plain branch",
    look({}, { defaultBranch: "release/1.x" }),
    "[release/1.x]",
  ],
  ["a pattern", look({}, { defaultBranch: "!a+b" }), '["\\\\!a\\\\+b"]'],
  ["a word of YAML", look({}, { defaultBranch: "on" }), '["on"]'],
  [
    "hostile",
    look({}, { defaultBranch: 'a"]}x: ${{ 1 }}' }),
    '["a\\"\\\\]}x: ${{ 1 }}"]',
  ],
])("the default branch: %s", (_, asked, list) => {
  expect(written(asked, workflow("ci.yml"))).toContain(`branches: ${list} }`);
});

test.each<[string, Look, Readonly<Record<string, string>>]>([
  ["a number", look({ ".nvmrc": "v22.1\n" }), { "node-version": '"22.1"' }],
  ["a name", look({ ".node-version": "lts/*\n" }), {}],
  [
    "a build of the root without a pipeline",
    look(
      {},
      { packages: [{ name: "shop", dir: ".", scripts: { build: "make" } }] },
    ),
    { setup: '"corepack enable && yarn install --immutable && yarn build"' },
  ],
  [
    "a build of the root, and a pipeline",
    look(
      { "skein.json": '{"pipeline": {"test": ["build"]}}' },
      { packages: [{ name: "shop", dir: ".", scripts: { build: "make" } }] },
    ),
    {},
  ],
  [
    "Yarn's cache in the workspace",
    look({ ".yarnrc.yml": "a: b\nenableGlobalCache: false\n" }),
    { cache: '".yarn/cache"' },
  ],
  [
    "Yarn's cache elsewhere",
    look({
      ".yarnrc.yml": 'enableGlobalCache: false\ncacheFolder: "./kept" # why\n',
    }),
    { cache: "kept" },
  ],
  [
    "Yarn 3, whose cache is in the workspace",
    look({ "package.json": '{"packageManager": "yarn@3.8.7"}' }),
    { cache: '".yarn/cache"' },
  ],
  [
    "Yarn's cache in git",
    look({}, { unowned: [".yarn/cache/left-pad-npm-1.0.0.zip"] }),
    { cache: '""' },
  ],
  [
    "a hostile folder of the cache",
    look({
      ".yarnrc.yml": "enableGlobalCache: false\ncacheFolder: ${{ x }}\n",
    }),
    { cache: '".yarn/cache"' },
  ],
])("inputs of the workflow: %s", (_, asked, inputs) => {
  const text = written(asked, workflow("ci.yml")) ?? "";
  const [, given = ""] = text.split("    with:\n");
  expect(given).toBe(
    Object.entries(inputs)
      .map(([name, value]) => `      ${name}: ${value}\n`)
      .join(""),
  );
});

test.each<[string, string | undefined, string, string | undefined]>([
  ["nothing", undefined, "", "0.1.0"],
  ["an older version", undefined, '"@skein/affected": "^0.0.9"', "0.1.0"],
  ["a link", undefined, '"@skein/affected": "link:../skein"', undefined],
  [
    "a range",
    "npm:@acme/fork@1",
    '"@skein/affected": "0.1.0"',
    "npm:@acme/fork@1",
  ],
  ["a checkout", "link:/s/tools/{tool}", "", "link:/s/tools/affected"],
])("devDependencies: %s", (_, range, there, expected) => {
  const text = `{"devDependencies": {${there}}}\n`;
  const after = written(
    look({ "package.json": text }, { range }),
    "package.json",
  );
  const { devDependencies } = JSON.parse(after ?? text) as {
    devDependencies: Record<string, string>;
  };
  expect(devDependencies["@skein/affected"]).toBe(expected ?? "link:../skein");
});

test("package.json keeps its form: tabs, CRLF, no line break at the end", () => {
  const text = '{\r\n\t"name": "x"\r\n}';
  expect(written(look({ "package.json": text }), "package.json")).toBe(
    '{\r\n\t"name": "x",\r\n\t"devDependencies": {\r\n\t\t"@skein/affected": "0.1.0",\r\n\t\t"@skein/ci-dispatch": "0.1.0"\r\n\t}\r\n}',
  );
});

test("an existing skein.json is kept, and the plan lists what it lacks", () => {
  const asked = look({
    "skein.json": '{"pipeline": {}, "metrics": {}}',
    "turbo.json":
      '{"tasks": {"test": {"dependsOn": ["build"], "inputs": ["$TURBO_DEFAULT$", "README.md"]}}}',
  });
  expect(paths(asked)).not.toContain("skein.json");
  expect(planInit(asked).kept).toEqual([
    {
      path: "skein.json",
      isStale: false,
      why: 'it already exists; consider "affected.inputs": {"test":["README.md"]}',
    },
  ]);
});

test.each<[string, string | undefined, string | undefined]>([
  ["none", undefined, "/attestations/\n"],
  ["without a line break at the end", "dist", "dist\n/attestations/\n"],
  ["there already", "dist\r\nattestations/\r\n", undefined],
])(".gitignore: %s", (_, before, after) => {
  const files = before === undefined ? {} : { ".gitignore": before };
  expect(written(look(files), ".gitignore")).toBe(after);
});

const ITEM =
  '  - path: .yarn/plugins/plugin-skein.cjs\n    spec: "@skein/yarn-plugin"\n';
test.each<[string, string | undefined, string | undefined]>([
  ["none", undefined, `plugins:\n${ITEM}`],
  ["no plugins", "a: 1", `a: 1\nplugins:\n${ITEM}`],
  [
    "plugins",
    "plugins:\n  - x.cjs\nb: 2\n",
    `plugins:\n${ITEM}  - x.cjs\nb: 2\n`,
  ],
  ["another form", "plugins: [x.cjs]\n", undefined],
])(".yarnrc.yml with the plugin: %s", (_, before, after) => {
  const files = before === undefined ? {} : { ".yarnrc.yml": before };
  const asked = look(files, { plugin: "// plugin\n" });
  expect(written(asked, ".yarnrc.yml")).toBe(after);
  expect(paths(asked).includes(".yarn/plugins/plugin-skein.cjs")).toBe(
    after !== undefined,
  );
});

test.each<[string, Look, string | undefined]>([
  [
    "GitLab CI",
    look({}, { engine: "gitlab-ci" }),
    "init writes no pipeline for GitLab CI; Skein's docs/engines.md has one to copy",
  ],
  [
    "a workspace below the top",
    look({}, { isTop: false }),
    "the workspace is not at the top of its repository, where GitHub looks for workflows, so none is written",
  ],
])("no workflow: %s", (_, asked, note) => {
  const plan = planInit(asked);
  expect(plan.files.map(({ path }) => path)).toEqual([
    "package.json",
    ".gitignore",
  ]);
  expect(plan.check).toBeUndefined();
  expect(plan.notes).toContain(note);
});

test.each<[string, string, boolean]>([
  ["nobody", "/app/ @a\n", true],
  ["all", "* @a\n", false],
  ["the folder", "/.github/ @a\n", false],
])("CODEOWNERS gives workflows to %s", (_, text, isNoted) => {
  // GitHub doesn't read the second file.
  const { notes } = planInit(
    look({ ".github/CODEOWNERS": text, CODEOWNERS: "* @b\n" }),
  );
  expect(
    notes.includes(
      ".github/CODEOWNERS names no owner of .github/workflows; a pull request that changes a workflow should need one",
    ),
  ).toBe(isNoted);
});

test.each([
  ["on: pull_request\nsteps: [{ run: yarn coverage }]\n", true],
  ["on: { pull_request: {} }\nsteps: [{ run: npx turbo run test }]\n", true],
  ["on: push\nsteps: [{ run: yarn test }]\n", false],
  ["on: pull_request\nsteps: [{ run: yarn lint }]\n", false],
])(
  "a workflow of the team, %j, is reported if it runs tests, too: %j",
  (text, isNoted) => {
    const { notes } = planInit(look({ [workflow("tests.yml")]: text }));
    expect(
      notes.includes(
        ".github/workflows/tests.yml tests pull requests, too: remove from it what CI replaces",
      ),
    ).toBe(isNoted);
  },
);

test("a workflow with CRLF counts as unchanged", () => {
  const text = workflowText("reporter", {
    version: "0.1.0",
    pin: PIN,
    name: "CI",
    defaultBranch: "main",
    inputs: {},
  });
  const files = { [workflow("reporter.yml")]: text.replaceAll("\n", "\r\n") };
  expect(planInit(look(files)).kept).toEqual([]);
});
