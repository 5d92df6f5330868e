import { expect, test } from "@jest/globals";
import { classify, classifyAll, type Facts } from "./classify.js";
import { NO_TROUBLE, type MachineState } from "./machine.js";

const facts = (more: Partial<Facts>): Facts => ({
  outcome: "failed",
  exitCode: 1,
  signal: null,
  output: "",
  timeoutMs: null,
  report: null,
  program: "Jest",
  refused: false,
  machine: NO_TROUBLE,
  waitsFor: null,
  ...more,
});
const machine = (more: Partial<MachineState>) => ({
  machine: { ...NO_TROUBLE, ...more },
});
const failed = {
  failedTests: [{ file: "a.test.js", line: 3, name: "adds", message: "no" }],
  failedFiles: ["a.test.js"],
};
const clean = { failedTests: [], failedFiles: [] };
const noSpace = "x\nError: ENOSPC: no space left on device, write\n";

test.each<[string, Partial<Facts>, string]>([
  ["a failed script", {}, "test: exit code 1"],
  [
    "failed tests in a report",
    { report: failed },
    "test: Jest's report names 1 failed test in 1 file",
  ],
  [
    "a report outweighs a kill afterwards",
    { report: failed, exitCode: 137 },
    "test: Jest's report names 1 failed test in 1 file",
  ],
  [
    "a report outweighs a timeout afterwards",
    { report: failed, outcome: "timed-out", timeoutMs: 5 },
    "test: Jest's report names 1 failed test in 1 file",
  ],
  [
    "a report without a failure, but an exit code: a threshold or a reporter",
    { report: clean },
    "test: exit code 1",
  ],
  [
    "a kill after a report without a failure",
    { report: clean, exitCode: 137 },
    "test: exit code 137",
  ],
  [
    "killed",
    { signal: "SIGKILL", exitCode: null },
    "infrastructure: it was ended by SIGKILL, without a test report",
  ],
  [
    "killed inside a shell",
    { exitCode: 137 },
    "infrastructure: it was ended by SIGKILL (exit code 137), without a test report",
  ],
  [
    "a spot machine's notice",
    { exitCode: 143 },
    "infrastructure: it was ended by SIGTERM (exit code 143), without a test report",
  ],
  [
    "hung up",
    { exitCode: 129 },
    "infrastructure: it was ended by SIGHUP (exit code 129), without a test report",
  ],
  [
    "interrupted",
    { exitCode: 130 },
    "infrastructure: it was ended by SIGINT (exit code 130), without a test report",
  ],
  [
    "a crash of its own",
    { signal: "SIGSEGV", exitCode: 139 },
    "test: it crashed with SIGSEGV",
  ],
  [
    "its shell is gone",
    { exitCode: null },
    "infrastructure: its shell was killed",
  ],
  [
    "out of time",
    { outcome: "timed-out", exitCode: null, timeoutMs: 5000 },
    "infrastructure: it exceeded its time limit of 5000 ms",
  ],
  [
    "cancelled",
    { outcome: "cancelled", exitCode: null },
    "infrastructure: the job was cancelled while it ran",
  ],
  [
    "words of a full disk, on a machine with space",
    { output: noSpace },
    "test: exit code 1",
  ],
  [
    "a disk that was nearly full, and words of it",
    { output: noSpace, ...machine({ disk: "/w had 0 B free" }) },
    "infrastructure: the disk is full (/w had 0 B free): Error: ENOSPC: no space left on device, write",
  ],
  [
    "a disk that was nearly full, without any effect",
    machine({ disk: "/w had 0 B free" }),
    "test: exit code 1",
  ],
  [
    "a full disk inside Jest",
    {
      report: failed,
      output: noSpace,
      ...machine({ disk: "/w had 0 B free" }),
    },
    "infrastructure: the disk is full (/w had 0 B free): Error: ENOSPC: no space left on device, write",
  ],
  [
    "a file of ours can't be written, with any output",
    { report: failed, ...machine({ write: "EDQUOT" }) },
    "infrastructure: this machine cannot write a file (EDQUOT)",
  ],
  [
    "no memory for a worker of Jest",
    { report: failed, ...machine({ oomKills: 1 }) },
    "infrastructure: the kernel ended 1 process because memory ran out",
  ],
  [
    "no memory for the script itself",
    { exitCode: 137, ...machine({ oomKills: 2 }) },
    "infrastructure: the kernel ended 2 processes because memory ran out",
  ],
  [
    "messages about a missing network, on a machine that has one",
    { output: "getaddrinfo ENOTFOUND x" },
    "test: exit code 1",
  ],
  [
    "no network in an install, nor for us",
    {
      output: "➤ YN0001: │ RequestError: getaddrinfo EAI_AGAIN registry\n",
      ...machine({ network: "EAI_AGAIN" }),
    },
    "infrastructure: this machine can't resolve host names (EAI_AGAIN): ➤ YN0001: │ RequestError: getaddrinfo EAI_AGAIN registry",
  ],
  [
    "no network only for ci-dispatch",
    machine({ network: "EAI_AGAIN" }),
    "test: exit code 1",
  ],
  [
    "no such program",
    { exitCode: 127, output: "command not found: jset\n" },
    "configuration: a program of the script was not found (exit code 127): command not found: jset",
  ],
  [
    "a program that may not be run",
    { exitCode: 126 },
    "configuration: a program of the script was not found (exit code 126)",
  ],
  [
    "messages about a missing program",
    { output: "ok - says `command not found`\n" },
    "test: exit code 1",
  ],
  [
    "Jest's settings are wrong",
    { refused: true, output: "● Validation Error:\n\n  Module x" },
    "configuration: Jest rejects its settings: ● Validation Error:",
  ],
  [
    "the same words from a Jest that accepts them",
    { output: "● Validation Error:" },
    "test: exit code 1",
  ],
  [
    "no script",
    { outcome: "no-script", exitCode: null },
    "configuration: the package has no such script",
  ],
  [
    "a build before it failed",
    {
      outcome: "skipped",
      exitCode: null,
      waitsFor: "lib#build",
      ...machine({ write: "ENOSPC" }),
    },
    "configuration: it waits for lib#build, which did not pass",
  ],
])("%s", (_, more, expected) => {
  const { class: kind, evidence } = classify(facts(more)) ?? {};
  expect([kind, ...(evidence ?? [])].join(": ")).toBe(expected);
});

test("a run that passed has no failure", () => {
  expect(classify(facts({ outcome: "passed", exitCode: 0 }))).toBeNull();
  expect(classifyAll([null])).toBeNull();
});

test("several runs on the same tree", () => {
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
