import { expect, test } from "@jest/globals";
import { mkdir, readFile, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { tempDir } from "@skein/testing";
import { buildWorkspace, knownYarn } from "../cli.test.kit.js";
import { changedPlan, execJob, planEach } from "./exec.test.kit.js";

const { resolve } = createRequire(import.meta.url);
const vitest = join(dirname(resolve("vitest/package.json")), "vitest.mjs");
const playwright = dirname(resolve("@playwright/test/package.json"));

/** Returns a test that records its run in a file of its package, and then runs some code. */
const noting = (name: string, code = "") =>
  `test("${name}", () => { require("fs").appendFileSync(__dirname + "/ran", "${name} "); ${code} });\n`;
/** Fails on its first run in this folder. */
const flaky = noting(
  "flakes",
  `if (require("fs").readFileSync(__dirname + "/ran", "utf8").split("flakes").length === 2) throw new Error("once");`,
);
const esm =
  'import { createRequire } from "node:module";\nconst require = createRequire(import.meta.url);\nconst __dirname = import.meta.dirname;\n';

/** Changes the plan so that the job of `vt` runs both scripts in two shards. */
const inShards = (dir: string) =>
  changedPlan(dir, "shards.json", (plan) => {
    const shards = [["b.spec.js"], ["a.spec.js"]];
    const [first, ...others] = plan.jobs;
    if (!first) throw new Error("the fixture has no job");
    const units = [first, ...others].flatMap((job) => job.units);
    first.units = units.flatMap((unit) =>
      shards.map((files, index) => ({
        ...unit,
        id: `${unit.whole}[${index + 1}/2]`,
        shard: { index: index + 1, count: 2, files },
      })),
    );
    plan.jobs = [first];
  });

test("shards of Vitest and Playwright run each file once, including files that no shard names, and retry only failed files", async () => {
  await using temp = await tempDir();
  const dir = join(temp.path, "ws");
  await mkdir(join(dir, "node_modules/@playwright"), { recursive: true });
  await symlink(playwright, join(dir, "node_modules/@playwright/test"));
  const spec = 'const { test } = require("@playwright/test");\n';
  buildWorkspace(
    dir,
    {
      pw: { scripts: { test: `node ${playwright}/cli.js test --project x` } },
      vt: { scripts: { test: `node ${vitest} run` } },
    },
    {
      files: {
        "packages/pw/playwright.config.js":
          'module.exports = { workers: 1, reporter: [["line"]], projects: [{ name: "x" }] };\n',
        "packages/pw/a.spec.js": spec + flaky,
        "packages/pw/b.spec.js": spec + noting("b"),
        "packages/pw/new (1).spec.js": spec + noting("new"),
        "packages/vt/vitest.config.mjs":
          'export default { test: { globals: true, fileParallelism: false, reporters: ["default", ["junit", { outputFile: "out.xml" }]] } };\n',
        "packages/vt/a.spec.js": esm + flaky,
        "packages/vt/b.spec.js": esm + noting("b"),
        "packages/vt/new (1).spec.js": esm + noting("new"),
      },
      root: knownYarn,
    },
  );
  await planEach(dir);

  const ended = await execJob(dir, "pw", await inShards(dir));
  expect(
    ended.attestation.units.map(
      ({ id, verdict, files, attempts, failure }) => ({
        id,
        verdict: failure?.class ?? verdict,
        files: Object.keys(files).sort(),
        failed: attempts.map(({ failedTests }) =>
          failedTests.map(({ file, line, name }) => `${file}:${line} ${name}`),
        ),
      }),
    ),
  ).toEqual(
    [
      { whole: "pw#test", line: 2, name: "[x] › flakes" },
      { whole: "vt#test", line: 4, name: "flakes" },
    ].flatMap(({ whole, line, name }) => [
      {
        id: `${whole}[1/2]`,
        verdict: "passed",
        files: ["b.spec.js", "new (1).spec.js"],
        failed: [[]],
      },
      {
        id: `${whole}[2/2]`,
        verdict: "flaky",
        files: ["a.spec.js"],
        failed: [[`a.spec.js:${line} ${name}`], []],
      },
    ]),
  );
  expect(ended.exitCode).toBe(0);
  for (const name of ["pw", "vt"])
    expect(
      (await readFile(join(dir, "packages", name, "ran"), "utf8"))
        .trim()
        .split(" ")
        .sort(),
    ).toEqual(["b", "flakes", "flakes", "new"]);
  // The reporters of Vitest's settings still report, with their options.
  expect(await readFile(join(dir, "packages/vt/out.xml"), "utf8")).toContain(
    "<testsuites",
  );
});
