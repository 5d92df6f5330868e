import type { RunReport, Unit, UnitResult } from "../unit.js";

/** Returns a unit for tests of the code that handles results. */
export function sampleUnit(workspace: string, script = "test"): Unit {
  return {
    id: `${workspace}#${script}`,
    workspace,
    version: "1.0.0",
    dir: `packages/${workspace}`,
    script,
    command: "jest",
    args: [],
    pulledIn: false,
    dependsOn: [],
  };
}

const ended = { durationMs: 1_234, via: "shell", leftBehind: false } as const;

/** A result of every kind, each with its most awkward values. */
export const sampleResults: readonly UnitResult[] = [
  {
    ...ended,
    status: "passed",
    exitCode: 0,
    unit: sampleUnit("good"),
    output: { text: "fine", bytes: 4 },
    leftBehind: true,
  },
  {
    ...ended,
    status: "passed",
    exitCode: 0,
    unit: sampleUnit("known"),
    output: { text: "fine before\n", bytes: 12 },
    replayed: {
      commit: "1888b59a2e0d4ecf6c6f5ff4c6a3d6bde6d1c1b0",
      at: Date.UTC(2026, 10, 23, 1, 40),
    },
  },
  {
    ...ended,
    status: "failed",
    exitCode: 1,
    signal: undefined,
    unit: sampleUnit("bad"),
    output: {
      text: '::error::mine\n<a & "b"> \u0000\u001b[31mred\u001b[0m\ud800 ]]>\r\n',
      bytes: 99,
      file: "/tmp/whole.log",
    },
    via: "yarn",
    viaReason: "a plugin",
  },
  {
    ...ended,
    status: "failed",
    exitCode: undefined,
    signal: "SIGKILL",
    unit: sampleUnit("killed"),
    output: { text: "", bytes: 0 },
  },
  {
    ...ended,
    status: "timed-out",
    timeoutMs: 60_000,
    unit: sampleUnit("slow"),
    output: { text: "waiting\n", bytes: 8 },
  },
  {
    ...ended,
    status: "cancelled",
    started: true,
    unit: sampleUnit("stopped"),
    output: { text: "", bytes: 0 },
  },
  { status: "cancelled", started: false, unit: sampleUnit("left") },
  {
    status: "skipped",
    unit: sampleUnit("after"),
    why: { kind: "dependency", unit: "bad#test" },
  },
  {
    status: "skipped",
    unit: sampleUnit("last"),
    why: { kind: "bail", unit: "bad#test" },
  },
  { status: "no-script", unit: { ...sampleUnit("bare"), command: undefined } },
];

/** A run with all of them. */
export const sampleReport: RunReport = {
  results: sampleResults,
  broken: [{ from: "b#build", to: "a#build", cycle: ["a#build", "b#build"] }],
  durationMs: 65_000,
  interrupted: true,
};
