import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { gitIn, suiteDir } from "@skein/testing";
import { buildWorkspace, dispatchIn, knownYarn } from "../cli.test.kit.js";
import {
  changedPlan,
  execJob,
  jest,
  once,
  passing,
  shardedPlan,
  planEach,
} from "./exec.test.kit.js";

const logged = (file: string) =>
  `require("fs").appendFileSync(__dirname + "/ran", "${file} "); test("${file}", () => {});\n`;
/** A script that passes if it sees the version of its package, as under Yarn. */
const versioned = 'test "$npm_package_version" = 1.2.3';
/** A script that ends when its own attestation lists it as running. */
const look = `
const { readFileSync, readdirSync } = require("fs");
const folder = "../../../attestations/";
const says = (file) =>
  file.endsWith(".json") &&
  (JSON.parse(readFileSync(folder + file, "utf8")).running ?? []).includes("looks#test");
const timer = setInterval(() => {
  if (readdirSync(folder).some(says)) clearInterval(timer);
}, 20);
`;

let dir: string;

const temp = await suiteDir(afterAll);
beforeAll(async () => {
  dir = join(temp, "ws");
  buildWorkspace(
    dir,
    {
      broken: { scripts: { test: jest } },
      flaky: { scripts: { test: jest } },
      green: { version: "1.2.3", scripts: { test: versioned } },
      killed: { scripts: { test: "node die.js" } },
      looks: { scripts: { test: "node look.js" } },
      missing: { scripts: { test: "no-such-program" } },
      shell: { scripts: { test: "echo no $MY_TOKEN >&2; exit 3" } },
      sharded: { scripts: { test: jest } },
      slow: { scripts: { test: "node wait.js" } },
    },
    {
      files: {
        "packages/killed/die.js": 'process.kill(process.pid, "SIGKILL");\n',
        "packages/slow/wait.js": "setTimeout(() => {}, 60000);\n",
        "packages/looks/look.js": look,
        "packages/broken/good.test.js": passing("good"),
        "packages/broken/bad.test.js":
          'test("adds up", () => {\n  expect(1 + 1).toBe(3);\n});\n',
        "packages/flaky/steady.test.js": logged("steady"),
        "packages/flaky/once.test.js": once,
        "packages/sharded/a.test.js": logged("a"),
        "packages/sharded/b.test.js": logged("b"),
        "packages/sharded/c.test.js": logged("c"),
      },
      settings: { dispatch: { timeout: { minSeconds: 1 } } },
      root: knownYarn,
    },
  );
  await planEach(dir);
});

test("a unit that passes", async () => {
  const { exitCode, attestation, stdout } = await execJob(dir, "green");
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(
    /^passed green#test \d.*\npackages-\d, attempt 1: 1 unit, 0 failed\n$/,
  );
  expect(attestation).toMatchObject({ version: 1, attempt: 1, finished: true });
  expect(attestation.units).toEqual([
    {
      id: "green#test",
      command: versioned,
      verdict: "passed",
      durationMs: expect.any(Number),
      attempts: [
        {
          outcome: "passed",
          durationMs: expect.any(Number),
          exitCode: 0,
          signal: null,
          failedTests: [],
        },
      ],
      failure: null,
      files: {},
    },
  ]);
});

test("exec fails on a commit other than the plan's", async () => {
  const at = (ref: string) => gitIn(dir, "rev-parse", ref).trim();
  gitIn(dir, "checkout", "--quiet", "--detach", "main");
  const ended = await dispatchIn(
    dir,
    "exec --plan=../plan.json --job=packages-1 --attestations=../elsewhere",
  );
  gitIn(dir, "checkout", "--quiet", "change");
  expect(ended).toEqual({
    exitCode: 3,
    stdout: "",
    stderr: `ci-dispatch: the plan is for commit ${at("change")}, but ${at("main")} is checked out here
hint: git fetch origin ${at("change")} && git checkout --detach ${at("change")}
`,
  });
  expect(existsSync(join(dir, "../elsewhere"))).toBe(false);
});

test("a failed test: only its file is retried, and the attestation names its line", async () => {
  const { exitCode, unit } = await execJob(dir, "broken");
  expect(exitCode).toBe(1);
  expect(unit?.failure).toEqual({
    class: "test",
    evidence: ["Jest's report names 1 failed test in 1 file"],
  });
  expect(unit?.attempts).toHaveLength(2);
  expect(unit?.attempts[0]?.failedTests).toEqual([
    {
      file: "bad.test.js",
      line: 2,
      name: "adds up",
      message: expect.stringContaining("Expected: 3") as unknown,
    },
  ]);
  expect(Object.keys(unit?.files ?? {}).sort()).toEqual([
    "bad.test.js",
    "good.test.js",
  ]);
});

test("a flake passes on the retry and is recorded, and only its file ran twice", async () => {
  const { exitCode, unit } = await execJob(dir, "flaky");
  expect(exitCode).toBe(0);
  expect(unit).toMatchObject({
    verdict: "passed",
    failure: {
      class: "flaky",
      evidence: [
        "run 1: Jest's report names 1 failed test in 1 file",
        "run 2: passed",
      ],
    },
  });
  expect(await readFile(join(dir, "packages/flaky/ran"), "utf8")).toBe(
    "steady ",
  );
  expect(await readFile(join(dir, "packages/flaky/counter"), "utf8")).toBe(
    "xx",
  );
});

test.each([
  [
    "killed",
    3,
    "infrastructure",
    "it was ended by SIGKILL, without a test report",
    2,
  ],
  ["shell", 1, "test", "exit code 3", 2],
  [
    "missing",
    1,
    "configuration",
    "a program of the script was not found (exit code 127): command not found: no-such-program",
    1,
  ],
])("%s: exit code %d, class %s", async (name, code, kind, evidence, runs) => {
  const { exitCode, unit } = await execJob(dir, name);
  expect(unit?.failure).toEqual({ class: kind, evidence: [evidence] });
  expect(unit?.attempts).toHaveLength(runs);
  expect(exitCode).toBe(code);
});

test("the attestation of a failed script has its last lines and a file with all of its output, without secrets", async () => {
  const { attestation, unit } = await execJob(dir, "shell", undefined, {
    MY_TOKEN: "let-me-in",
  });
  const { job } = attestation;
  expect(unit?.attempts.map(({ lastLines, log }) => [lastLines, log])).toEqual([
    [["no ***"], `${job}.1.1.logs/1.log`],
    [["no ***"], `${job}.1.1.logs/2.log`],
  ]);
  const log = await readFile(
    join(dir, "../attestations", unit?.attempts[1]?.log ?? ""),
    "utf8",
  );
  expect(log).toBe("no ***\n");
});

test("a running unit is attested as running, so a lost machine leaves its name", async () => {
  const { exitCode, attestation } = await execJob(dir, "looks");
  expect({ exitCode, running: attestation.running }).toEqual({
    exitCode: 0,
    running: undefined,
  });
});

test("a unit that exceeds its time limit is ended, and isn't retried on this machine", async () => {
  const plan = await changedPlan(dir, "slow.json", ({ jobs }) => {
    for (const unit of jobs.flatMap(({ units }) => units)) unit.timeoutMs = 500;
  });
  const { exitCode, unit } = await execJob(dir, "slow", plan);
  expect(exitCode).toBe(3);
  expect(unit?.failure).toEqual({
    class: "infrastructure",
    evidence: ["it exceeded its time limit of 500 ms"],
  });
  expect(unit?.attempts).toHaveLength(1);
});

test("shards run every file once, including files that aren't in the plan, and skip deleted ones", async () => {
  const plan = await shardedPlan(dir, "sharded", [
    ["b.test.js", "gone.test.js"],
    ["a.test.js"],
  ]);
  const { exitCode, attestation } = await execJob(dir, "sharded", plan);
  expect(exitCode).toBe(0);
  expect(
    attestation.units.map(({ id, files }) => [id, Object.keys(files)]),
  ).toEqual([
    ["sharded#test[1/2]", ["b.test.js", "c.test.js"]],
    ["sharded#test[2/2]", ["a.test.js"]],
  ]);
  const ran = await readFile(join(dir, "packages/sharded/ran"), "utf8");
  expect(ran.trim().split(" ").sort()).toEqual(["a", "b", "c"]);
});

test("an unknown job, and a file that isn't a plan", async () => {
  const wrong = await dispatchIn(
    dir,
    "exec --plan=../plan.json --job=package-1",
  );
  expect(wrong.stderr).toContain(
    "ci-dispatch: the plan has no job package-1\nhint: did you mean packages-1",
  );
  expect(wrong.exitCode).toBe(2);
  const none = await dispatchIn(dir, ["exec", "--job=a", "--plan=skein.json"]);
  expect(none.stderr).toContain("this isn't a plan of version 1");
  expect(none.exitCode).toBe(3);
});
