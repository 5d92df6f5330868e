import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { gitTestEnv, suiteDir } from "@skein/testing";
import {
  buildWorkspace,
  dispatchIn,
  knownYarn,
  program,
} from "../cli.test.kit.js";
import type { Plan } from "../plan.js";
import type { Verdict } from "../verdict.js";

let dir: string;
const temp = await suiteDir(afterAll);
beforeAll(() => {
  dir = join(temp, "ws");
  buildWorkspace(
    dir,
    {
      broken: { scripts: { test: "exit 1" } },
      flaky: { scripts: { test: "node flaky.js" } },
      forever: { scripts: { wait: "node wait.js" } },
      green: { scripts: { test: "echo fine" } },
      killed: { scripts: { test: "node die.js" } },
      untouched: { scripts: { test: "exit 1" } },
    },
    {
      changed: ["broken", "flaky", "forever", "green", "killed"],
      root: { ...knownYarn, scripts: { lint: "echo clean" } },
      files: {
        "packages/flaky/flaky.js":
          'const fs = require("fs"); if (!fs.existsSync("ran")) { fs.writeFileSync("ran", ""); process.exit(1); }\n',
        "packages/killed/die.js": 'process.kill(process.pid, "SIGKILL");\n',
        "packages/forever/wait.js":
          'setInterval(() => require("fs").appendFileSync("beat", "."), 20);\n',
      },
      settings: {
        dispatch: { application: { lint: "lint" }, onePackagePerJob: true },
      },
    },
  );
});

test("plan, jobs and verdict on this machine: a flaky, a broken, a killed and an untouched package", async () => {
  const { exitCode, stdout, stderr } = await dispatchIn(
    dir,
    "run --base=main --workers=2 --directory=../out",
  );
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 1 });
  const verdict = JSON.parse(
    await readFile(join(dir, "../out/verdict.json"), "utf8"),
  ) as Verdict;
  expect(
    Object.fromEntries(
      verdict.units.map(({ id, state, failure }) => [
        id,
        `${state} ${failure?.class ?? ""}`.trim(),
      ]),
    ),
  ).toEqual({
    "broken#test": "failed test",
    "flaky#test": "flaky flaky",
    "green#test": "passed",
    "killed#test": "failed infrastructure",
    "root#lint": "passed",
  });
  expect(verdict.skipped).toEqual([
    { workspace: "forever", script: "test", why: "no-script" },
  ]);
  expect(stdout).toMatch(/\nred: 2 passed, 1 flaky, 2 failed, 1 planned skip /);
  expect(stderr).toMatch(/\[5\/5\] \S+ (green|red) in /);
  expect((await readdir(join(dir, "../out"))).sort()).toEqual([
    "attestations",
    "junit.xml",
    "plan.json",
    "verdict.json",
  ]);
});

test("packages that fit in one job are distributed over the workers", async () => {
  const settings = join(dir, "skein.json");
  const before = await readFile(settings, "utf8");
  await writeFile(settings, '{"dispatch":{}}');
  const { stderr } = await dispatchIn(
    dir,
    "run --base=main --workers=2 --directory=../spread",
  );
  await writeFile(settings, before);
  const plan = JSON.parse(
    await readFile(join(dir, "../spread/plan.json"), "utf8"),
  ) as Plan;
  expect({ stderr, jobs: plan.jobs.map(({ id }) => id) }).toMatchObject({
    jobs: ["packages-1", "packages-2"],
  });
});

test("nothing affected and no application suite: green, and nothing runs", async () => {
  const { exitCode, stdout } = await dispatchIn(
    dir,
    "run --base=change --committed",
  );
  expect(stdout).toMatch(/^passed|^green: 1 passed /m);
  expect(exitCode).toBe(0);
});

test("Ctrl-C ends every script, and unfinished units are red", async () => {
  const settings = join(dir, "skein.json");
  const before = await readFile(settings, "utf8");
  await writeFile(settings, '{"dispatch":{"scripts":["wait"]}}');
  const child = spawn(
    program,
    ["run", "--base=main", "--filter=forever", "--directory=../stopped"],
    { cwd: dir, env: gitTestEnv, stdio: "ignore" },
  );
  const beat = join(dir, "packages/forever/beat");
  while (!existsSync(beat)) await sleep(20);
  child.kill("SIGINT");
  const code = await new Promise((resolve) => child.once("exit", resolve));
  await writeFile(settings, before);
  expect(code).toBe(3);
  const beats = (await readFile(beat, "utf8")).length;
  await sleep(200);
  expect(await readFile(beat, "utf8")).toHaveLength(beats);
  const verdict = JSON.parse(
    await readFile(join(dir, "../stopped/verdict.json"), "utf8"),
  ) as Verdict;
  expect(verdict.units).toMatchObject([
    { id: "forever#wait", state: "failed" },
  ]);
});
