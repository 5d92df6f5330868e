import { expect, test } from "@jest/globals";
import { parseSettings } from "./parse-settings.js";
import { SettingsError } from "./readers.js";

const dispatch = (value: unknown) =>
  parseSettings(JSON.stringify({ dispatch: value }, null, 2)).dispatch;

test("every field of dispatch has a default", () => {
  expect(parseSettings("{}").dispatch).toEqual({
    application: [],
    pools: {},
    scripts: ["test"],
    targetSeconds: 300,
    maxJobs: 20,
    setupSeconds: 45,
    onePackagePerJob: false,
    inline: "auto",
    reuse: "fingerprint",
    recheck: 0.02,
    timeout: {
      factor: 3,
      minSeconds: 60,
      unknownSeconds: 600,
      maxSeconds: 1800,
    },
    retries: 1,
    traces: { everyHours: 24, budgetSeconds: 600 },
  });
});

test("a pool has names of packages, and a step may name its pool", () => {
  expect(
    dispatch({
      pools: { gpu: ["@acme/ml-*"] },
      application: { e2e: { script: "e2e", pool: "browsers" } },
    }),
  ).toMatchObject({
    pools: { gpu: ["@acme/ml-*"] },
    application: [{ name: "e2e", pool: "browsers" }],
  });
});

test("a step of the application suite is the name of a script, or an object with its package and its shards", () => {
  expect(
    dispatch({
      application: {
        lint: "lint",
        unit: { script: "test:unit", workspace: "@acme/app", shards: 3 },
      },
      timeout: { factor: 4 },
    }),
  ).toMatchObject({
    application: [
      { name: "lint", script: "lint", workspace: undefined, shards: undefined },
      {
        name: "unit",
        script: "test:unit",
        workspace: "@acme/app",
        shards: 3,
      },
    ],
    timeout: {
      factor: 4,
      minSeconds: 60,
      unknownSeconds: 600,
      maxSeconds: 1800,
    },
  });
});

test.each([
  [{ maxJobs: 257 }, 3, '"dispatch.maxJobs" must be a number from 1 to 256'],
  [
    { scripts: [] },
    3,
    '"dispatch.scripts" must name at least one script, or no affected package is tested; leave it out for "test"',
  ],
  [{ maxJobs: 2.5 }, 3, '"dispatch.maxJobs" must be a whole number'],
  [{ maxJob: 3 }, 3, '"dispatch.maxJob" isn\'t a setting of Skein'],
  [
    { application: { "a b": "lint" } },
    4,
    '"dispatch.application.a b" isn\'t a valid step name: use lowercase letters, digits and hyphens, at most 40 characters',
  ],
  [
    { application: { unit: { script: "t", shard: 2 } } },
    6,
    '"dispatch.application.unit.shard" isn\'t a setting of Skein',
  ],
  [
    { timeout: { minSeconds: 20, maxSeconds: 10 } },
    3,
    '"dispatch.timeout" has a minSeconds above its maxSeconds',
  ],
  [
    { pools: { "a b": [] } },
    4,
    '"dispatch.pools.a b" isn\'t the name of a pool: lowercase letters, digits and hyphens, starting with a letter, at most 32 characters',
  ],
  [
    { application: { unit: { script: "t", pool: "1" } } },
    6,
    '"dispatch.application.unit.pool" must be the name of a pool: lowercase letters, digits and hyphens, starting with a letter, at most 32 characters',
  ],
  [
    { traces: { everyHours: -1 } },
    4,
    '"dispatch.traces.everyHours" must be a number from 0 to 8760',
  ],
  [
    { onePackagePerJob: "yes" },
    3,
    '"dispatch.onePackagePerJob" must be true or false',
  ],
])("%j is refused, with its line", (value, line, message) => {
  let caught: unknown;
  try {
    dispatch(value);
  } catch (error) {
    caught = error;
  }
  expect(caught).toBeInstanceOf(SettingsError);
  expect(caught).toMatchObject({ line, message });
});
