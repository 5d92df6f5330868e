import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { existsSync } from "node:fs";
import { readFile, realpath } from "node:fs/promises";
import { join } from "node:path";
import { runnerWorld, text } from "./runner-world.test.kit.js";
import type { RunnerWorld } from "./runner-world.test.kit.js";
import type { RunReport, UnitResult } from "./unit.js";

let it: RunnerWorld;
beforeAll(async () => {
  it = await runnerWorld();
});
afterAll(async () => {
  await it[Symbol.asyncDispose]();
});

/** Scripts that end by themselves. One run serves all tests that need their results. */
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
/** The warnings of Node's during that run. */
const warnings: Error[] = [];

async function runShared(): Promise<RunReport> {
  const note = (warning: Error) => warnings.push(warning);
  process.on("warning", note);
  const concurrency = shared.length;
  sharedRun ??= it.run("", { scripts: shared, concurrency });
  const report = await sharedRun;
  process.off("warning", note);
  return report;
}

async function one(script: string): Promise<UnitResult> {
  const { results } = await runShared();
  const result = results.find(({ unit }) => unit.script === script);
  if (result === undefined) throw new Error(`no result of ${script}`);
  return result;
}
test("more than ten scripts at once cause no warning", async () => {
  const { results } = await runShared();
  expect([results.length > 10, warnings]).toEqual([true, []]);
});

describe("scripts behave as in Yarn", () => {
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

  test("arguments reach the script unchanged", async () => {
    const args = ["a b", "$HOME", "*", "; echo x", "--", "'", '"', "`x`"];
    expect(text(await it.alone("args", { args }))).toBe(
      `${JSON.stringify(args)}\n`,
    );
  });

  test("run and yarn start other scripts", async () => {
    expect(text(await it.alone("nested"))).toBe("ok\nok\nok\n");
  });

  test("programs of dependencies and of the package itself can be called", async () => {
    expect(text(await one("dep"))).toBe(
      `dep from-${join(it.root, "packages/a")}\nown\n`,
    );
  });
});

describe("a failed unit contains the cause", () => {
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

  test("a script that can't be parsed fails with the parser's message", async () => {
    const result = await one("syntax");
    expect(result).toMatchObject({ status: "failed", exitCode: 1 });
    expect(text(result)).toMatch(/^Parse error|^Expected/);
  });
});

test("output beyond the cap is complete in a file, and the result contains both ends", async () => {
  const result = await it.alone("big", { outputCap: 1_000 });
  if (!("output" in result)) throw new Error(result.status);
  const { bytes, file = "" } = result.output;
  const whole = await readFile(file, "utf8");
  expect(whole.length).toBe(bytes);
  expect(whole.endsWith("line 199999\n")).toBe(true);
  expect(text(result)).toBe(
    `${whole.slice(0, 500)}\n… ${bytes - 1_000} bytes are omitted here …\n${whole.slice(-500)}`,
  );
});

test("a unit waits for its pipeline, and is skipped if the pipeline fails", async () => {
  const report = await it.run("ok", {
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

test("a unit with a stored result doesn't run, and its dependents start; only units that ran and passed are stored", async () => {
  const reported: string[] = [];
  const started: string[] = [];
  const replayed = { commit: "c0ffee", at: 1 };
  const report = await it.run("ok", {
    scripts: ["ok"],
    pipeline: { ok: ["shell"], shell: ["euro"], fails: ["euro"] },
    onEvent: (event) => {
      if (event.kind === "started") started.push(event.unit.id);
    },
    memory: {
      knows: ({ script }) => script === "shell",
      recall: (unit) =>
        Promise.resolve(
          unit.script === "shell"
            ? {
                ...{ unit, status: "passed", exitCode: 0, via: "shell" },
                ...{ durationMs: 5, leftBehind: false, replayed },
                output: { text: "before\n", bytes: 7 },
              }
            : undefined,
        ),
      passed: ({ unit }) => Promise.resolve(void reported.push(unit.id)),
    },
  });
  expect(report.results).toMatchObject([
    { unit: { id: "@m/a#euro" }, status: "passed" },
    { unit: { id: "@m/a#shell" }, durationMs: 5, replayed },
    { unit: { id: "@m/a#ok" }, status: "passed" },
  ]);
  expect([started, reported]).toEqual([
    ["@m/a#euro", "@m/a#ok"],
    ["@m/a#euro", "@m/a#ok"],
  ]);
});

test("bail ends running units and skips waiting ones", async () => {
  const report = await it.run("fails", {
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

test.each([
  ["bail", { bail: true }, "bail"],
  ["a pipeline", { pipeline: { x: ["^x"] } }, "dependency"],
])(
  "%s doesn't report packages without the script as skipped, and names the failed unit",
  async (_name, options, kind) => {
    const report = await it.run("", {
      workspaces: [
        { name: "@m/a", dir: "packages/a", scripts: { x: "exit 7" } },
        { name: "@m/b", dir: "packages/b", scripts: {} },
        { name: "@m/c", dir: "packages/c", scripts: { x: "echo c" } },
      ],
      edges: [
        { from: "@m/c", to: "@m/b" },
        { from: "@m/b", to: "@m/a" },
      ],
      scripts: ["x"],
      concurrency: 1,
      ...options,
    });
    expect(report.results).toMatchObject([
      { status: "failed", exitCode: 7 },
      { status: "no-script" },
      { status: "skipped", why: { kind, unit: "@m/a#x" } },
    ]);
  },
);

test("units run concurrently, but never more than requested", async () => {
  const meet = (name: string, other: string) =>
    `node -e "const fs=require('fs');fs.writeFileSync('${name}.met','');const t=setInterval(()=>fs.existsSync('${other}.met')&&clearInterval(t),10)"`;
  let now = 0;
  let most = 0;
  const report = await it.run("", {
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

test("units without a history start first, then those that took longest in earlier runs", async () => {
  const names = ["short", "long", "new"];
  const order: string[] = [];
  await it.run("", {
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

test("one host runs more units than it has pipes", async () => {
  const names = Array.from({ length: 60 }, (_, i) => `n${String(i)}`);
  const many = Object.fromEntries(names.map((name) => [name, `echo ${name}`]));
  const report = await it.run("", {
    workspaces: [{ name: "@m/a", dir: "packages/a", scripts: many }],
    scripts: names,
    concurrency: 1,
  });
  expect(
    report.results.map((result) => `${result.unit.script}\n` === text(result)),
  ).toEqual(names.map(() => true));
});

test("a run leaves no files in the temporary folder", async () => {
  let bin = "";
  await it.run("ok", {
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
