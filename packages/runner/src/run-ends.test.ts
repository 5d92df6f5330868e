import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { yarnTestEnv } from "@skein/testing";
import { isStill, runnerWorld, text } from "./runner-world.test.kit.js";
import type { RunnerWorld } from "./runner-world.test.kit.js";
import type { RunUnitsOptions } from "./run-units.js";
import { openYarnProject } from "./yarn/yarn-project.js";

let it: RunnerWorld;
beforeAll(async () => {
  it = await runnerWorld();
});
afterAll(async () => {
  await it[Symbol.asyncDispose]();
});

describe("no process of a unit outlives it", () => {
  const dir = () => join(it.root, "packages/a");

  /**
   * Runs a script and aborts when it has printed the given number of words. A fixed time would be too short on a busy
   * machine.
   */
  const abortAfter = async (
    words: number,
    script: string,
    options: Parameters<RunnerWorld["run"]>[1] = {},
  ) => {
    const abort = new AbortController();
    let said = "";
    return it.alone(script, {
      ...options,
      signal: abort.signal,
      onEvent: (event) => {
        if (event.kind !== "output") return;
        said += event.text;
        if (said.split("started").length > words) abort.abort();
      },
    });
  };

  test("the script, its background jobs and their children end", async () => {
    const result = await abortAfter(2, "forever");
    expect(result).toMatchObject({ status: "cancelled", started: true });
    expect(text(result)).toBe("started\nstarted\n");
    expect(await isStill(dir())).toBe(true);
  });

  test("a process that ignores SIGTERM is killed after the grace period", async () => {
    const result = await abortAfter(1, "stubborn", { graceMs: 1_500 });
    expect(text(result)).toBe("started\nno\n");
    expect(await isStill(dir())).toBe(true);
  });

  test("a script that another program starts ends as usual, and so does that program", async () => {
    const launch: RunUnitsOptions["launch"] = (_, job) => ({
      ...job,
      env: { ...job.env, FOO: "launched" },
      // Like strace, this launcher runs until its child has ended, and holds the output's pipe open.
      launcher: {
        program: "sh",
        args: ["-c", '"$@"; exit $?', "sh"],
        marker: "/nothing/has/this/name",
      },
    });
    expect(text(await it.alone("euro", { launch }))).toBe(
      text(await it.alone("euro")),
    );
    expect(await it.alone("fails", { launch })).toMatchObject({
      status: "failed",
      exitCode: 7,
      leftBehind: false,
    });
    const behind = await it.alone("behind", { launch });
    expect(behind).toMatchObject({ status: "passed", leftBehind: true });
    const ended = await abortAfter(2, "forever", { launch });
    expect(ended).toMatchObject({ status: "cancelled", started: true });
    expect(await isStill(dir())).toBe(true);
  });

  test("a timeout ends it, even during a command of the shell itself", async () => {
    expect(await it.alone("sleeps", { timeoutMs: 400 })).toMatchObject({
      status: "timed-out",
      timeoutMs: 400,
    });
  });

  test("processes that a timeout ends don't count as left behind, also with `yarn run`", async () => {
    const node = process;
    const env = yarnTestEnv();
    const project = await openYarnProject({ root: it.root, env, node });
    const result = await it.alone("sleeps", {
      timeoutMs: 400,
      project: { ...project, needsYarn: "a plugin" },
    });
    expect(result).toMatchObject({
      status: "timed-out",
      via: "yarn",
      leftBehind: false,
    });
  });

  test("a timeout that exceeds the maximum of a timer ends nothing", async () => {
    expect(await it.alone("host", { timeoutMs: 2 ** 31 })).toMatchObject({
      status: "passed",
    });
  });

  test("processes that a script leaves behind are ended and reported", async () => {
    const result = await it.alone("behind", { graceMs: 200 });
    expect(result).toMatchObject({ status: "passed", leftBehind: true });
    expect(await isStill(dir())).toBe(true);
  });

  test("the shell that ran a script ends with the run", async () => {
    const result = await it.alone("host");
    const id = Number(text(result));
    expect(id).toBeGreaterThan(1);
    // The process may be a zombie if no init reaps it, or it may be gone.
    const stat = await readFile(`/proc/${id}/stat`, "utf8").catch(() => ") X");
    expect(stat.slice(stat.lastIndexOf(")") + 2)).toMatch(/^[ZX]/);
  });

  test("an abort ends running scripts and reports the remaining ones", async () => {
    const abort = new AbortController();
    const report = await it.run("forever", {
      concurrency: 1,
      scripts: ["forever", "ok"],
      // Other units aren't skipped because of a unit that the caller has ended.
      bail: true,
      durations: new Map([["@m/a#ok", 1]]),
      signal: abort.signal,
      onEvent: (event) => {
        if (event.kind === "output") abort.abort();
      },
    });
    expect(report.interrupted).toBe(true);
    expect(
      report.results.map((result) => [
        result.unit.id,
        result.status,
        "started" in result ? result.started : undefined,
      ]),
    ).toEqual([
      ["@m/a#forever", "cancelled", true],
      ["@m/a#ok", "cancelled", false],
    ]);
    expect(await isStill(dir())).toBe(true);
  });
});

test("if the runner itself is killed, its scripts end too", async () => {
  const index = new URL("./index.js", import.meta.url).href;
  const runner = spawn(
    process.execPath,
    [
      "--input-type=module",
      "-e",
      `import { openYarnProject, planUnits, runUnits } from ${JSON.stringify(index)};
       const project = await openYarnProject({ root: ${JSON.stringify(it.root)}, env: process.env, node: process });
       const workspaces = [{ name: "@m/a", dir: "packages/a", scripts: { forever: "node forever.cjs" } }];
       const onEvent = (event) => event.kind === "output" && console.log("started");
       await runUnits(planUnits({ workspaces, edges: [], scripts: ["forever"] }), { project, concurrency: 1, now: () => 0, onEvent });`,
    ],
    { env: yarnTestEnv(), stdio: ["ignore", "pipe", "inherit"] },
  );
  await Promise.race([once(runner.stdout, "data"), once(runner, "close")]);
  expect(runner.exitCode).toBe(null);
  runner.kill("SIGKILL");
  await once(runner, "close");
  // The host notices when its pipe ends, and needs some time for that.
  while (!(await isStill(join(it.root, "packages/a"))));
});
