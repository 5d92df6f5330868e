import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { readFile, readdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import {
  json,
  tempDir,
  writeFiles,
  yarnIn,
  yarnPath,
  yarnTestEnv,
} from "@skein/testing";
import { openYarnProject } from "./yarn-project.js";
import { planUnits } from "./plan-units.js";
import type { PlanUnitsInput } from "./plan-units.js";
import { runUnits } from "./run-units.js";
import type { RunUnitsOptions } from "./run-units.js";
import type { RunReport, UnitResult } from "./unit.js";

const scripts = {
  shell:
    'FOO="a b" node -p "process.env.FOO" && echo \'single $HOME\' && echo "$npm_package_name" *.txt',
  where: "cd sub && node -p \"process.cwd().split('/').slice(-2).join('/')\"",
  args: 'node -e "console.log(JSON.stringify(process.argv.slice(1)))" --',
  nested: "run ok && yarn ok && yarnpkg ok",
  dep: "dep-bin from-$INIT_CWD && own-bin",
  ok: "echo ok",
  fails: "echo before; node -e 'process.exit(7)'",
  killed: "node -e \"process.kill(process.pid, 'SIGKILL')\"",
  syntax: "echo 'unfinished",
  missing: "no-such-program",
  euro: "node euro.cjs",
  big: "node -e \"for (let i = 0; i < 2e5; i++) console.log('line', i)\"",
  forever: "node forever.cjs & node forever.cjs",
  stubborn: "node stubborn.cjs",
  sleeps: "sleep 60",
  behind: "node behind.cjs",
  suicide: "node -e \"process.kill(process.ppid, 'SIGKILL')\"",
  stdin:
    "node -e \"process.stdin.on('end', () => console.log('end')).resume()\"",
  empty: "",
};

let root: string;
let dispose: () => Promise<void>;
let run: (
  script: string,
  options?: Partial<RunUnitsOptions> & Partial<PlanUnitsInput>,
) => Promise<RunReport>;

beforeAll(async () => {
  const dir = await tempDir();
  dispose = async () => dir[Symbol.asyncDispose]();
  root = dir.path;
  const beat = `const fs = require("fs"); setInterval(() => fs.appendFileSync(__filename + "." + process.pid + ".beat", "."), 20);`;
  await writeFiles(root, {
    "package.json": json({
      name: "root",
      private: true,
      workspaces: ["packages/*"],
    }),
    "yarn.lock": "",
    ".yarnrc.yml": `nodeLinker: node-modules\nyarnPath: ${yarnPath}\n`,
    "packages/dep/package.json": json({
      name: "@m/dep",
      version: "2.0.0",
      bin: { "dep-bin": "bin.js" },
    }),
    "packages/dep/bin.js": "console.log('dep', ...process.argv.slice(2))",
    "packages/a/package.json": json({
      name: "@m/a",
      version: "1.0.0",
      bin: { "own-bin": "./own.js" },
      scripts,
      dependencies: { "@m/dep": "workspace:^" },
    }),
    "packages/a/own.js": "console.log('own')",
    "packages/a/x.txt": "",
    "packages/a/y.txt": "",
    "packages/a/sub/z.txt": "",
    "packages/a/euro.cjs": `const bytes = Buffer.from("€".repeat(50)); let i = 0; const next = () => i < bytes.length && process.stdout.write(bytes.subarray(i, ++i), () => setTimeout(next, 1)); next();`,
    "packages/a/forever.cjs": `${beat} require("child_process").spawn(process.execPath, ["-e", ${JSON.stringify("setInterval(() => 0, 1000)")}], { stdio: "inherit" }); console.log("started");`,
    "packages/a/stubborn.cjs": `process.on("SIGTERM", () => console.log("no")); ${beat} console.log("started");`,
    "packages/a/behind.cjs": `require("child_process").spawn(process.execPath, [__dirname + "/stubborn.cjs"], { stdio: "inherit" }); setTimeout(() => process.exit(0), 300);`,
  });
  await yarnIn(root, "install");
  const project = await openYarnProject({
    root,
    env: yarnTestEnv(),
    node: process,
  });
  run = (script, options = {}) =>
    runUnits(
      planUnits({
        workspaces: [
          { name: "@m/a", version: "1.0.0", dir: "packages/a", scripts },
        ],
        edges: [],
        scripts: [script],
        ...options,
      }),
      { project, concurrency: 2, now: () => performance.now(), ...options },
    );
});
afterAll(() => dispose());

/** Scripts that end by themselves: one run serves all the tests that look at one of them. */
const shared = [
  "shell",
  "where",
  "ok",
  "empty",
  "euro",
  "stdin",
  "dep",
  "fails",
  "killed",
  "missing",
  "suicide",
  "syntax",
];
let sharedRun: Promise<RunReport> | undefined;

async function one(script: string): Promise<UnitResult> {
  const { results } = await (sharedRun ??= run("", { scripts: shared }));
  const result = results.find(({ unit }) => unit.script === script);
  if (result === undefined) throw new Error(`no result of ${script}`);
  return result;
}

async function only(
  script: string,
  options: Parameters<typeof run>[1] = {},
): Promise<UnitResult> {
  const { results } = await run(script, options);
  const [result] = results;
  if (result === undefined) throw new Error("no result");
  return result;
}

function text(result: UnitResult): string {
  return "output" in result ? result.output.text : "";
}

/** Whether a script that writes its heartbeat has stopped. */
async function isStill(dir: string): Promise<boolean> {
  const beats = async () =>
    Promise.all(
      (await readdir(dir))
        .filter((name) => name.endsWith(".beat"))
        .map(async (name) => (await readFile(join(dir, name))).length),
    );
  const before = await beats();
  await sleep(150);
  return JSON.stringify(before) === JSON.stringify(await beats());
}

describe("scripts mean what they mean to Yarn", () => {
  test.each([
    ["shell", "a b\nsingle $HOME\n@m/a x.txt y.txt\n"],
    ["where", "a/sub\n"],
    ["ok", "ok\n"],
    ["empty", ""],
    ["euro", "€".repeat(50)],
    ["stdin", "end\n"],
  ])("%s", async (script, output) => {
    const result = await one(script);
    expect({ text: text(result), status: result.status }).toEqual({
      text: output,
      status: "passed",
    });
  });

  test("arguments reach the script as they are", async () => {
    const args = ["a b", "$HOME", "*", "; echo x", "--", "'", '"', "`x`"];
    expect(text(await only("args", { args }))).toBe(
      `${JSON.stringify(args)}\n`,
    );
  });

  test("run and yarn start other scripts", async () => {
    expect(text(await only("nested"))).toBe("ok\nok\nok\n");
  });

  test("programs of dependencies and its own can be called", async () => {
    expect(text(await one("dep"))).toBe(
      `dep from-${join(root, "packages/a")}\nown\n`,
    );
  });
});

describe("a unit that fails says how", () => {
  test.each([
    ["fails", 7, undefined, "before\n"],
    ["killed", 129, "SIGKILL", ""],
    ["missing", 127, undefined, "command not found: no-such-program\n"],
    [
      "suicide",
      undefined,
      "SIGKILL",
      "the shell that ran the script was ended from outside\n",
    ],
  ])("%s", async (script, exitCode, signal, output) => {
    const result = await one(script);
    expect({ ...result, text: text(result) }).toMatchObject({
      status: "failed",
      exitCode,
      signal,
      text: output,
      via: "shell",
    });
  });

  test("a script that cannot be parsed fails with the parser's words", async () => {
    const result = await one("syntax");
    expect(result).toMatchObject({ status: "failed", exitCode: 1 });
    expect(text(result)).toMatch(/^Parse error|^Expected/);
  });
});

test("output beyond the cap is whole in a file, and its ends are in the result", async () => {
  const result = await only("big", { outputCap: 1_000 });
  if (!("output" in result)) throw new Error(result.status);
  const { bytes, file = "" } = result.output;
  const whole = await readFile(file, "utf8");
  expect(whole.length).toBe(bytes);
  expect(whole.endsWith("line 199999\n")).toBe(true);
  expect(text(result)).toBe(
    `${whole.slice(0, 500)}\n… ${bytes - 1_000} bytes are left out here …\n${whole.slice(-500)}`,
  );
});

describe("nothing of a unit outlives it", () => {
  const dir = () => join(root, "packages/a");

  /** Runs a script and aborts when it has said so many words: a fixed time would be too short on a busy machine. */
  const abortAfter = async (
    words: number,
    script: string,
    options: Parameters<typeof run>[1] = {},
  ) => {
    const abort = new AbortController();
    let said = "";
    return only(script, {
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

  test("what does not heed SIGTERM is killed after the grace", async () => {
    const result = await abortAfter(1, "stubborn", { graceMs: 500 });
    expect(text(result)).toBe("started\nno\n");
    expect(await isStill(dir())).toBe(true);
  });

  test("a timeout ends it, even a command of the shell itself", async () => {
    expect(await only("sleeps", { timeoutMs: 400 })).toMatchObject({
      status: "timed-out",
      timeoutMs: 400,
    });
  });

  test("what a script leaves behind is ended and told", async () => {
    const result = await only("behind", { graceMs: 200 });
    expect(result).toMatchObject({ status: "passed", leftBehind: true });
    expect(await isStill(dir())).toBe(true);
  });

  test("an abort ends what runs and says what was left", async () => {
    const abort = new AbortController();
    const report = await run("forever", {
      concurrency: 1,
      scripts: ["forever", "ok"],
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

test("a unit waits for its pipeline, and is skipped when that fails", async () => {
  const report = await run("ok", {
    scripts: ["ok"],
    pipeline: { ok: ["fails"], fails: ["shell"] },
  });
  expect(report.results.map((r) => [r.unit.id, r.status])).toEqual([
    ["@m/a#shell", "passed"],
    ["@m/a#fails", "failed"],
    ["@m/a#ok", "skipped"],
  ]);
  expect(report.results.at(-1)).toMatchObject({
    why: { kind: "dependency", unit: "@m/a#fails" },
  });
});

test("bail ends what runs and skips what waits", async () => {
  const report = await run("fails", {
    scripts: ["fails", "forever", "ok"],
    concurrency: 2,
    bail: true,
    durations: new Map([["@m/a#ok", 1]]),
  });
  expect(report.results.map((r) => [r.unit.id, r.status])).toEqual([
    ["@m/a#fails", "failed"],
    ["@m/a#forever", "cancelled"],
    ["@m/a#ok", "skipped"],
  ]);
});

test("units run at the same time, but never more than asked for", async () => {
  const meet = (name: string, other: string) =>
    `node -e "const fs=require('fs');fs.writeFileSync('${name}.met','');const t=setInterval(()=>fs.existsSync('${other}.met')&&clearInterval(t),10)"`;
  let now = 0;
  let most = 0;
  const report = await run("", {
    workspaces: [
      {
        name: "@m/a",
        dir: "packages/a",
        scripts: { x: meet("x", "y"), y: meet("y", "x"), z: "echo z" },
      },
    ],
    scripts: ["x", "y", "z"],
    concurrency: 2,
    timeoutMs: 20_000,
    onEvent: ({ kind }) => {
      if (kind === "output") return;
      now += kind === "started" ? 1 : -1;
      most = Math.max(most, now);
    },
  });
  expect(report.results.map(({ status }) => status)).toEqual([
    "passed",
    "passed",
    "passed",
  ]);
  expect(most).toBe(2);
});

test("what took longest in earlier runs starts first, after what nobody knows", async () => {
  const names = ["short", "long", "new"];
  const order: string[] = [];
  await run("", {
    workspaces: [
      {
        name: "@m/a",
        dir: "packages/a",
        scripts: Object.fromEntries(names.map((name) => [name, "true"])),
      },
    ],
    scripts: names,
    concurrency: 1,
    durations: new Map([
      ["@m/a#short", 1],
      ["@m/a#long", 100],
    ]),
    onEvent: (event) => {
      if (event.kind === "started") order.push(event.unit.script);
    },
  });
  expect(order).toEqual(["new", "long", "short"]);
});

test("when the runner itself is killed, its scripts end too", async () => {
  const index = new URL("./index.js", import.meta.url).href;
  const runner = spawn(
    process.execPath,
    [
      "--input-type=module",
      "-e",
      `import { openYarnProject, planUnits, runUnits } from ${JSON.stringify(index)};
       const project = await openYarnProject({ root: ${JSON.stringify(root)}, env: process.env, node: process });
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
  await sleep(500);
  expect(await isStill(join(root, "packages/a"))).toBe(true);
});

test("one host runs more units than it has pipes for", async () => {
  const names = Array.from({ length: 60 }, (_, i) => `n${String(i)}`);
  const many = Object.fromEntries(names.map((name) => [name, `echo ${name}`]));
  const report = await run("", {
    workspaces: [{ name: "@m/a", dir: "packages/a", scripts: many }],
    scripts: names,
    concurrency: 1,
  });
  expect(
    report.results.map((result) => `${result.unit.script}\n` === text(result)),
  ).toEqual(names.map(() => true));
});

test("a run leaves nothing in the temporary folder", async () => {
  let bin = "";
  await run("ok", {
    workspaces: [
      {
        name: "@m/a",
        dir: "packages/a",
        scripts: { ok: "echo $BERRY_BIN_FOLDER" },
      },
    ],
    onEvent: (event) => {
      if (event.kind === "output") bin += event.text.trim();
    },
  });
  expect(bin).toMatch(/skein-run-/);
  expect(existsSync(await realpath(join(bin, "../../..")))).toBe(true);
  expect(existsSync(join(bin, "../.."))).toBe(false);
});
