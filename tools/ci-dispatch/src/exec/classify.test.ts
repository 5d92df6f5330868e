import { expect, test } from "@jest/globals";
import type { Facts } from "./classify.js";
import { classify, classifyAll } from "./classify.js";

const facts = (more: Partial<Facts>): Facts => ({
  outcome: "failed",
  exitCode: 1,
  signal: null,
  output: "",
  timeoutMs: null,
  report: null,
  reports: false,
  waitsFor: null,
  ...more,
});
const failed = {
  failedTests: [{ file: "a.test.js", line: 3, name: "adds", message: "no" }],
  failedFiles: ["a.test.js"],
};
const clean = { failedTests: [], failedFiles: [] };

test.each<[string, Partial<Facts>, string, string]>([
  ["a failed script", {}, "test", "exit code 1"],
  [
    "failed tests in a report",
    { report: failed, reports: true },
    "test",
    "Jest's report names 1 failed test in 1 file",
  ],
  [
    "a report outweighs a kill afterwards",
    { report: failed, exitCode: 137 },
    "test",
    "Jest's report names 1 failed test in 1 file",
  ],
  [
    "a report outweighs a timeout afterwards",
    { report: failed, outcome: "timed-out", timeoutMs: 5 },
    "test",
    "Jest's report names 1 failed test in 1 file",
  ],
  [
    "a report without a failure, but an exit code: a threshold or a reporter",
    { report: clean, reports: true },
    "test",
    "exit code 1",
  ],
  [
    "killed",
    { signal: "SIGKILL", exitCode: null },
    "infrastructure",
    "it was ended by SIGKILL, without a test report",
  ],
  [
    "killed inside a shell",
    { exitCode: 137 },
    "infrastructure",
    "it was ended by SIGKILL (exit code 137), without a test report",
  ],
  [
    "a spot machine's notice",
    { exitCode: 143 },
    "infrastructure",
    "it was ended by SIGTERM (exit code 143), without a test report",
  ],
  [
    "a crash of its own",
    { signal: "SIGSEGV", exitCode: 139 },
    "test",
    "it crashed by SIGSEGV",
  ],
  [
    "its shell is gone",
    { exitCode: null },
    "infrastructure",
    "its shell was ended from outside",
  ],
  [
    "out of time",
    { outcome: "timed-out", exitCode: null, timeoutMs: 5000 },
    "infrastructure",
    "it had not ended after 5000 ms",
  ],
  [
    "cancelled",
    { outcome: "cancelled", exitCode: null },
    "infrastructure",
    "the job was ended from outside while it ran",
  ],
  [
    "a full disk",
    { output: "x\nError: ENOSPC: no space left on device, write\n" },
    "infrastructure",
    "no space is left: Error: ENOSPC: no space left on device, write",
  ],
  [
    "no network in an install",
    { output: "➤ YN0001: │ RequestError: getaddrinfo EAI_AGAIN registry\n" },
    "infrastructure",
    "the network failed: ➤ YN0001: │ RequestError: getaddrinfo EAI_AGAIN registry",
  ],
  [
    "no network is a test's own matter where there is a report",
    { output: "getaddrinfo ENOTFOUND x", report: clean, reports: true },
    "test",
    "exit code 1",
  ],
  [
    "no such program",
    { exitCode: 127, output: "command not found: jset\n" },
    "configuration",
    "a program of the script is not there (exit code 127): command not found: jset",
  ],
  [
    "Jest's settings are wrong",
    { reports: true, output: "● Validation Error:\n\n  Module x" },
    "configuration",
    "Jest did not start: ● Validation Error:",
  ],
  [
    "the same words from a script that is not Jest",
    { output: "● Validation Error:" },
    "test",
    "exit code 1",
  ],
  [
    "no script",
    { outcome: "no-script", exitCode: null },
    "configuration",
    "the package has no such script",
  ],
  [
    "a build before it failed",
    { outcome: "skipped", exitCode: null, waitsFor: "lib#build" },
    "configuration",
    "it waits for lib#build, which did not pass",
  ],
])("%s", (_, more, kind, evidence) => {
  expect(classify(facts(more))).toEqual({ class: kind, evidence: [evidence] });
});

test("what passed has no failure", () => {
  expect(classify(facts({ outcome: "passed", exitCode: 0 }))).toBeNull();
  expect(classifyAll([null])).toBeNull();
});

test("several runs on one tree", () => {
  const broken = classify(facts({}));
  const killed = classify(facts({ exitCode: 137 }));
  expect(classifyAll([broken, null])).toEqual({
    class: "flaky",
    evidence: ["run 1: exit code 1", "run 2: passed"],
  });
  expect(classifyAll([killed, null])).toMatchObject({
    class: "infrastructure",
  });
  expect(classifyAll([killed, broken, null])).toMatchObject({ class: "flaky" });
  expect(classifyAll([broken, killed])).toBe(killed);
  expect(classifyAll([broken, broken])).toBe(broken);
});
