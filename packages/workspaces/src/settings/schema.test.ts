import { readFileSync } from "node:fs";
import { describe, expect, test } from "@jest/globals";
import { Ajv2020 } from "ajv/dist/2020.js";
import { parseSettings } from "./parse-settings.js";
import { SettingsError } from "./readers.js";
import { defaultSettings } from "./settings.js";

const schema = JSON.parse(
  readFileSync(
    new URL("../../schemas/skein.schema.json", import.meta.url),
    "utf8",
  ),
) as {
  properties: Record<string, { properties?: Record<string, unknown> }>;
};
const validate = new Ajv2020().compile(schema);

function parses(value: unknown): boolean {
  try {
    parseSettings(JSON.stringify(value));
    return true;
  } catch (error) {
    if (error instanceof SettingsError) return false;
    throw error;
  }
}

// Editors must underline exactly what the tools refuse.
describe("the schema and the parser agree on", () => {
  const texts = [[], ["a"], [""], "a", [1], [null], {}, null, 1];
  const lists = [{}, { a: [] }, { a: ["b"] }, { a: "b" }, { a: [1] }, [], null];
  const names = ["main", "", 1, null, []];
  const unowned = [
    { "a/**": "nothing" },
    { a: "everything" },
    { a: ["@m/a"] },
    { a: "some" },
    { a: true },
    { a: [1] },
    [],
  ];
  const pipeline = [
    ...lists,
    { test: { dependsOn: ["build"] } },
    { test: {} },
    { test: { dependsOn: "build" } },
    { test: { cache: true } },
  ];
  const affected = (field: string, values: readonly unknown[]) =>
    values.map((value) => ({ affected: { [field]: value } }));
  const numbers = [-1, 0, 1, 1.5, 5, 6, 256, 257, 1e6, "1", null];
  const dispatch = (field: string, values: readonly unknown[]) =>
    values.map((value) => ({ dispatch: { [field]: value } }));
  const top = (field: string, values: readonly unknown[]) =>
    values.map((value) => ({ [field]: value }));

  test.each(
    [
      {},
      [],
      null,
      "text",
      { $schema: "./x.json" },
      { unknown: 1 },
      { affected: { unknown: 1 } },
      { affected: [] },
      { affected: null },
      ...top("defaultBranch", names),
      ...top("workflow", names),
      ...top("tags", lists),
      ...top("pipeline", pipeline),
      ...affected("ignore", texts),
      ...affected("documentation", texts),
      ...affected("tests", texts),
      ...affected("unowned", unowned),
      ...affected("inputs", lists),
      ...affected("implicitDependencies", lists),
      ...top("migrate", [
        {},
        [],
        null,
        { branches: [] },
        ...texts.map((protectedBranches) => ({ protectedBranches })),
        ...lists.map((ownVersions) => ({ ownVersions })),
      ]),
      ...top("metrics", [{}, [], null, { published: [] }]),
      ...[
        null,
        {},
        [],
        [{}],
        ["release"],
        [{ from: "release" }],
        [{ from: "release", tag: "v{version}" }],
        [{ from: "tag", tag: "" }],
        [{ from: "tag", environment: "e" }],
        [{ from: "deployment" }],
        [{ from: "deployment", environment: "production" }],
        [{ from: "deployment", environment: "e", tag: "v1" }],
        [{ from: "workflow", workflow: "r.yml" }, { from: "release" }],
        [{ from: "workflow", workflow: "r.yml", job: "npm" }],
        [{ from: "workflow", workflow: 1 }],
        [{ from: "release", package: "@m/a", repository: "m/a" }],
        [{ from: "release", package: "" }],
        [{ from: "deployment", environment: "e", repository: "" }],
        [{ from: "npm" }],
        [{ from: "npm", package: "@m/a", registry: "https://npm.m.example" }],
        [{ from: "npm", registry: "https://me:secret@npm.m.example" }],
        [{ from: "npm", registry: "npm.m.example" }],
        [{ from: "npm", tag: "v1" }],
        [{ from: "pypi" }],
      ].map((publish) => ({ metrics: { publish } })),
      ...[null, [{}], [{ title: "" }], [{ title: "Take {package}" }]].map(
        (upgrades) => ({ metrics: { upgrades } }),
      ),
      ...texts.map((configuration) => ({ metrics: { configuration } })),
      ...["merged", "published", "upgraded", "opened", "", null, 1].map(
        (until) => ({ metrics: { until } }),
      ),
      ...top("cache", [
        {},
        [],
        null,
        { env: ["API_URL"] },
        { env: ["API-URL"] },
        { env: "A" },
        { build: {} },
        { build: true, e2e: false },
        { build: null },
        { build: { outputs: ["dist/**", "!dist/cache/**", "*.tsbuildinfo"] } },
        { build: { outputs: ["../dist/**"] } },
        { build: { outputs: ["dist/../../x"] } },
        { build: { outputs: ["/dist"] } },
        { build: { outputs: ["dist//a"] } },
        { build: { outputs: [""] } },
        { build: { outputs: ["."] } },
        { build: { outputs: ["..a/...", "!.next/**"] } },
        { build: { outputs: "dist" } },
        { build: { maxAgeSeconds: 60 } },
        { build: { maxAgeSeconds: 0 } },
        { build: { maxAgeSeconds: 1.5 } },
        { build: { ttl: 1 } },
      ]),
      ...top("dispatch", [{}, [], null, { job: 1 }]),
      ...dispatch("application", [
        {},
        [],
        { lint: "lint" },
        { lint: "" },
        { "a b": "lint" },
        { unit: { script: "t", workspace: "@m/a", shards: 2 } },
        { unit: { script: "t", shards: 0 } },
        { unit: { workspace: "@m/a" } },
        { unit: { script: "t", more: 1 } },
        { unit: { script: "t", pool: "gpu" } },
        { unit: { script: "t", pool: "GPU" } },
      ]),
      ...dispatch("pools", [
        ...lists,
        { GPU: ["a"] },
        Object.fromEntries(Array.from({ length: 33 }, (_, i) => [`p${i}`, []])),
      ]),
      ...dispatch("scripts", texts),
      ...dispatch("targetSeconds", numbers),
      ...dispatch("maxJobs", numbers),
      ...dispatch("setupSeconds", numbers),
      ...dispatch("onePackagePerJob", [true, false, "yes", null]),
      ...dispatch("traces", [
        {},
        null,
        { everyHours: 0, budgetSeconds: 7200 },
        { budgetSeconds: 7201 },
        { hours: 1 },
      ]),
      ...dispatch("reuse", ["fingerprint", "never", "always", true]),
      ...dispatch("recheck", [0, 0.02, 1, 2, "1"]),
      ...dispatch("inline", ["auto", "never", "always", "yes", true, null]),
      ...dispatch("timeout", [{}, { factor: 2 }, { factor: 0 }, { most: 1 }]),
      ...dispatch("retries", numbers),
      ...affected("evidence", ["off", "guesses", "full", "on", true, null]),
      ...affected("rootDependencies", ["everything", "root", "all", 1, null]),
    ].map((value) => [JSON.stringify(value), value]),
  )("%s", (_, value) => {
    expect(validate(value)).toBe(parses(value));
  });
});

test("the schema has exactly the fields that the parser accepts", () => {
  const { $schema, ...fields } = schema.properties;
  expect($schema).toBeDefined();
  expect(Object.keys(fields).toSorted()).toEqual(
    Object.keys(defaultSettings).toSorted(),
  );
  expect(Object.keys(fields["affected"]?.properties ?? {}).toSorted()).toEqual(
    Object.keys(defaultSettings.affected).toSorted(),
  );
  expect(Object.keys(fields["dispatch"]?.properties ?? {}).toSorted()).toEqual(
    Object.keys(defaultSettings.dispatch).toSorted(),
  );
});

test("the defaults are themselves valid", () => {
  const { defaultBranch, affected, dispatch, cache, ...rest } = defaultSettings;
  expect(defaultBranch).toBeUndefined();
  const file = {
    ...rest,
    affected: { ...affected, unowned: Object.fromEntries(affected.unowned) },
    dispatch: { ...dispatch, application: {} },
    cache: { env: cache.env, ...cache.scripts },
  };
  expect(validate(file)).toBe(true);
  expect(parseSettings(JSON.stringify(file))).toEqual(defaultSettings);
});
