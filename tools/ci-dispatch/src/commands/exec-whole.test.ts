import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { suiteDir } from "@skein/testing";
import { buildWorkspace, dispatchIn, knownYarn } from "../cli.test.kit.js";
import {
  execJob,
  jest,
  once,
  passing,
  shardedPlan,
  planEach,
} from "./exec.test.kit.js";

/** Each choice runs half of the code. */
const half = `
exports.half = (choice) => {
  if (choice) {
    const a = 1;
    const b = 2;
    const c = 3;
    return a + b + c;
  }
  const d = 4;
  const e = 5;
  const f = 6;
  return d + e + f;
};
`;
const covering = (file: string, choice: string) =>
  `test("${file}", () => { require("./${file}").half(${choice}); });\n`;

let dir: string;

const temp = await suiteDir(afterAll);
beforeAll(async () => {
  dir = join(temp, "ws");
  buildWorkspace(
    dir,
    {
      covered: { scripts: { test: jest } },
      obsolete: { scripts: { test: `${jest} --ci` } },
      refused: { scripts: { test: `${jest} --globalSetup=gone.js` } },
      threshold: {
        scripts: {
          test: `${jest} --coverage --coverageProvider=v8 --coverageThreshold='{"global":{"statements":90}}'`,
        },
      },
    },
    {
      files: {
        "packages/threshold/a.test.js": once,
        "packages/threshold/b.test.js": covering("half", "true"),
        "packages/threshold/half.js": half,
        "packages/covered/jest.config.json": JSON.stringify({
          collectCoverage: true,
          coverageProvider: "v8",
          coverageThreshold: { global: { statements: 80 } },
        }),
        "packages/covered/a.test.js": once + covering("half", "true"),
        "packages/covered/b.test.js": covering("half", "false"),
        "packages/covered/half.js": half,
        "packages/obsolete/a.test.js": once,
        "packages/obsolete/b.test.js": passing("b"),
        "packages/obsolete/__snapshots__/gone.test.js.snap":
          "// Jest Snapshot v1, https://jestjs.io/docs/snapshot-testing\n\nexports[`old 1`] = `1`;\n",
      },
      root: knownYarn,
    },
  );
  await planEach(dir);
});

test("a flake and a missed coverage threshold: all files are retried, and the unit stays red", async () => {
  const { exitCode, unit } = await execJob(dir, "threshold");
  expect(unit).toMatchObject({
    verdict: "failed",
    failure: { class: "test", evidence: ["exit code 1"] },
    attempts: [
      { failedTests: [{ name: "flakes" }] },
      {
        failedTests: [],
        lastLines: expect.arrayContaining([
          expect.stringMatching(
            /^Jest: Coverage for statements .* does not meet "global" threshold \(90%\)/,
          ),
        ]) as unknown,
      },
    ],
  });
  expect(exitCode).toBe(1);
});

test("a flake and obsolete snapshots: the unit stays red", async () => {
  const { exitCode, unit } = await execJob(dir, "obsolete");
  expect(unit?.attempts.map(({ exitCode }) => exitCode)).toEqual([1, 1]);
  expect(exitCode).toBe(1);
});

test("if only all files together reach the run's threshold, a flake causes a retry of all files", async () => {
  const { exitCode, unit } = await execJob(dir, "covered");
  expect(unit).toMatchObject({
    verdict: "passed",
    failure: { class: "flaky" },
    files: { "a.test.js": expect.any(Number), "b.test.js": expect.any(Number) },
  });
  expect(exitCode).toBe(0);
  // From here on, nothing flakes. This plan has split the unit although its settings judge the whole run.
  const plan = await shardedPlan(dir, "covered", [
    ["a.test.js"],
    ["b.test.js"],
  ]);
  const { stderr, attestation } = await execJob(dir, "covered", plan);
  expect(
    attestation.units.map(({ verdict, files }) => [
      verdict,
      Object.keys(files),
    ]),
  ).toEqual([
    ["passed", expect.arrayContaining(["a.test.js", "b.test.js"])],
    ["passed", expect.arrayContaining(["a.test.js", "b.test.js"])],
  ]);
  expect(stderr).toContain(
    `note: covered#test[1/2] runs as a whole, because Jest's coverageThreshold judges the whole run
note: covered#test[2/2] runs as a whole, because Jest's coverageThreshold judges the whole run
`,
  );
  // The coverage of all jobs is one map, whose paths don't depend on the machine.
  const judging = [`--plan=${plan}`, "--attestations=../attestations"];
  const { stdout } = await dispatchIn(dir, [
    "verdict",
    ...judging,
    "--coverage=../coverage",
  ]);
  expect(stdout).toContain("coverage of all jobs: 100 % of the lines\n");
  const lcov = await readFile(join(dir, "../coverage/lcov.info"), "utf8");
  expect(lcov).toMatch(/^TN:\nSF:packages\/covered\/half.js\nFN:/);
  const map = JSON.parse(
    await readFile(join(dir, "../coverage/coverage-final.json"), "utf8"),
  ) as object;
  expect(Object.keys(map)).toEqual(["packages/covered/half.js"]);
});

test("settings that Jest rejects are a configuration failure, which isn't retried", async () => {
  const { exitCode, unit } = await execJob(dir, "refused");
  expect(unit?.failure).toEqual({
    class: "configuration",
    evidence: ["Jest rejects its settings: ● Validation Error:"],
  });
  expect(unit?.attempts).toHaveLength(1);
  expect(exitCode).toBe(1);
});
