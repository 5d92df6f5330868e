import { expect, test } from "@jest/globals";
import { join } from "node:path";
import { tempDir, writeFiles } from "@skein/testing";
import type { UnitResult } from "@skein/runner";
import { runFacts, type FactSources } from "./facts.js";
import { JEST } from "../runners/jest.js";
import { parseReport } from "../runners/report.js";
import { NO_TROUBLE } from "./machine.js";

/** Creates a report of Jest with one file and a failed test. */
const report = (more: Readonly<Record<string, unknown>> = {}) => ({
  testResults: [
    {
      name: "/ws/lib/a.test.js",
      status: "failed",
      message: "",
      assertionResults: [
        { fullName: "adds", status: "failed", failureMessages: ["no"] },
      ],
    },
  ],
  ...more,
});
const unit = {
  id: "lib#test",
  workspace: "lib",
  version: "",
  dir: "lib",
  script: "test",
  command: "jest",
  args: [],
  pulledIn: false,
  dependsOn: [],
};
const ended = (
  more: Readonly<Record<string, unknown>>,
  text = "printed\n",
): UnitResult => {
  const result: unknown = {
    unit,
    durationMs: 5,
    output: { text, bytes: text.length },
    via: "shell",
    leftBehind: false,
    status: "failed",
    exitCode: 1,
    signal: undefined,
    ...more,
  };
  return result as UnitResult;
};

/** Returns the facts of a run with this report, and the requests for more facts. */
async function factsOf(
  result: UnitResult,
  text: string | undefined,
  more: Partial<FactSources> = {},
) {
  await using temp = await tempDir();
  if (text !== undefined) await writeFiles(temp.path, { "r.json": text });
  const asked: string[] = [];
  const run = await runFacts(result, {
    runner: JEST,
    report: join(temp.path, "r.json"),
    folder: "/ws/lib",
    isRefused: () => {
      asked.push("settings");
      return Promise.resolve(true);
    },
    machine: (asksNetwork) => {
      asked.push(asksNetwork ? "network" : "machine");
      return Promise.resolve(NO_TROUBLE);
    },
    clean: (printed) => printed,
    keepLog: () => Promise.resolve("j.1.1.logs/1.log"),
    keepCoverage: () => Promise.resolve("j.1.1.coverage/1.json.gz"),
    ...more,
  });
  return { ...run, asked };
}

test.each<
  [string, Readonly<Record<string, unknown>>, unknown, readonly string[]]
>([
  ["all that failed", {}, report(), ["a.test.js"]],
  ["after a kill", { signal: "SIGKILL" }, report(), []],
  ["after a timeout", { status: "timed-out", timeoutMs: 9 }, report(), []],
  ["with an obsolete snapshot", {}, report({ snapshot: { unchecked: 1 } }), []],
  [
    "with an obsolete file of snapshots",
    {},
    report({ snapshot: { filesRemoved: 1 } }),
    [],
  ],
  [
    "with valid snapshots",
    {},
    report({ snapshot: { unchecked: 0 } }),
    ["a.test.js"],
  ],
  ["of an interrupted run", {}, report({ wasInterrupted: true }), []],
  ["of a run that threw", {}, report({ runExecError: {} }), []],
])("failed files, %s", async (_, more, reported, files) => {
  const { failedFiles } = await factsOf(ended(more), JSON.stringify(reported));
  expect(failedFiles).toEqual(files);
});

test.each<[string, UnitResult, string | undefined, readonly string[]]>([
  ["a report", ended({}), JSON.stringify(report()), ["machine"]],
  ["no report", ended({}), undefined, ["settings", "machine"]],
  [
    "a kill",
    ended({ exitCode: undefined, signal: "SIGKILL" }),
    undefined,
    ["machine"],
  ],
  [
    "a crash in the shell",
    ended({ signal: "SIGSEGV" }),
    undefined,
    ["machine"],
  ],
  [
    "network errors in the output",
    ended({}, "getaddrinfo ENOTFOUND x"),
    undefined,
    ["settings", "network"],
  ],
  ["a pass", ended({ status: "passed", exitCode: 0 }), undefined, []],
])("the questions after %s", async (_, result, text, expected) => {
  expect((await factsOf(result, text)).asked).toEqual(expected);
});

test("the output of a failed run is attested unless it is blank, and without a log that can't be written", async () => {
  const printed = async (
    result: UnitResult,
    more: Partial<FactSources> = {},
  ) => {
    const { lastLines, log } = (await factsOf(result, undefined, more)).attempt;
    return { lastLines, log };
  };
  expect(await printed(ended({}))).toEqual({
    lastLines: ["printed"],
    log: "j.1.1.logs/1.log",
  });
  const nothing = { lastLines: undefined, log: undefined };
  expect(await printed(ended({ status: "passed", exitCode: 0 }))).toEqual(
    nothing,
  );
  expect(await printed(ended({}, " \n"))).toEqual(nothing);
  const keepLog = () => Promise.resolve(undefined);
  expect(await printed(ended({}), { keepLog })).toEqual({
    lastLines: ["printed"],
    log: undefined,
  });
});

test("a file with a failed test has failed, even if the report says that it passed", () => {
  const reported = report();
  const [file] = reported.testResults;
  const { failedFiles } = parseReport(
    JSON.stringify({ testResults: [{ ...file, status: "passed" }] }),
    "/ws/lib",
  );
  expect(failedFiles).toEqual(["a.test.js"]);
});
