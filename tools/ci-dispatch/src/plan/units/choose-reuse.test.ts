import { describe, expect, test } from "@jest/globals";
import type { HistoryEvent } from "../../history/event.js";
import { knownResults, type Attestations } from "../../own-runs/attested-by.js";
import type { Candidate } from "./candidates.js";
import { notReusedWords } from "../../render/reused-lines.js";
import { chooseReuse } from "./choose-reuse.js";

const candidate = (more: Partial<Candidate> = {}): Candidate => ({
  ...{ whole: "a#test", workspace: "a", dir: "a", script: "test" },
  ...{ command: "jest", step: undefined, why: "" },
  ...more,
});
const AT = ["2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z"] as const;
const COMMIT = "0123456789abcdef";

/** An event of the default branch. */
const event = (
  run: string,
  more: Partial<HistoryEvent> = {},
): HistoryEvent => ({
  ...{ version: 1, at: AT[0], commit: COMMIT, unit: "a#test", ms: 1 },
  ...{ verdict: "passed", fingerprint: "now", run },
  fields: { files: "1", variables: "1" },
  ...more,
});
/** A failure under the fingerprint that another event passed under. */
const failing = (run: string): HistoryEvent => {
  const { fingerprint = "", ...others } = event(run);
  return { ...others, verdict: "failed", under: fingerprint };
};
/** A unit that was flaky in a green run. */
const flakyIn = (tree: string): HistoryEvent => ({
  ...{ version: 1, at: AT[0], commit: COMMIT, unit: "a#test", ms: 1 },
  ...{ verdict: "flaky", run: "1", under: "now", tree },
});
const own = (run: string, more: Partial<Attestations> = {}): Attestations => ({
  ...{ run, passed: [], failed: [], pushes: [] },
  ...more,
});
const passedIn = (
  run: string,
  fingerprint = "now",
  at: string = AT[1],
  fields: Record<string, string> = {},
) =>
  own(run, {
    passed: [{ unit: "a#test", fingerprint, commit: COMMIT, run, at, fields }],
  });

interface Case {
  readonly history?: readonly HistoryEvent[];
  readonly own?: readonly Attestations[];
  readonly now?: { hex: string; fields?: object; varying?: string[] } | null;
  readonly candidate?: Partial<Candidate>;
  readonly recheck?: number;
  readonly oldest?: string;
}

/** Returns the decision, with the reason: `reused 3`, `runs`, `checks 3`. */
function outcome(odd: Case): string {
  const now =
    odd.now === null
      ? []
      : [
          [
            "a#test",
            {
              ...{ hex: "now", varying: [] },
              ...odd.now,
              fields: { files: "1", variables: "1", ...odd.now?.fields },
            },
          ] as const,
        ];
  const { run, reused } = chooseReuse([candidate(odd.candidate)], {
    now: new Map(now),
    known: knownResults(odd.history ?? [], odd.own ?? [], {
      ...{ ownRun: "this", tree: "this tree" },
    }),
    ...{ tree: "this tree", earlier: [] },
    oldest: new Map(odd.oldest === undefined ? [] : [["test", odd.oldest]]),
    recheck: odd.recheck ?? 0,
    salt: "",
  });
  const [first] = run;
  const why = first?.notReused ? `: ${notReusedWords(first.notReused)}` : "";
  return reused[0]
    ? `reused ${reused[0].run}`
    : first?.recheck
      ? `checks ${first.recheck.run}`
      : `runs${why}`;
}

const proof = {
  ...{ commit: COMMIT, run: "9", at: AT[0] },
  by: "trace" as const,
};
const step = {
  ...{ name: "unit", script: "test" },
  ...{ workspace: undefined, shards: undefined },
};
const other = { hex: "other", fields: { files: "2" } };

describe("a unit", () => {
  test.each<[string, Case, string]>([
    ["that never passed", {}, "runs"],
    [
      "that passed on the default branch",
      { history: [event("1")] },
      "reused 1",
    ],
    [
      "that passed in an earlier run of the pull request",
      { own: [passedIn("2")] },
      "reused 2",
    ],
    [
      "that passed twice",
      { history: [event("1")], own: [passedIn("2")] },
      "reused 2",
    ],
    [
      "that passed in an earlier attempt of this run",
      { own: [passedIn("this")] },
      "runs",
    ],
    [
      "whose fingerprint isn't known",
      { history: [event("1")], now: null },
      "runs",
    ],
    ["that was flaky", { history: [event("1", { verdict: "flaky" })] }, "runs"],
    [
      "that failed under the same fingerprint on the default branch, before it passed",
      { history: [failing("1"), event("2", { at: AT[1] })] },
      "runs: it failed under the same fingerprint in run 1",
    ],
    [
      "that passed on the default branch, and failed in the pull request",
      { history: [event("1")], own: [own("2", { failed: ["now"] })] },
      "runs: it failed under the same fingerprint in run 2",
    ],
    [
      "a step of the application suite",
      {
        history: [event("1")],
        candidate: { step: step },
      },
      "runs",
    ],
    [
      "a step that sets reuse",
      {
        history: [event("1")],
        candidate: { step: { ...step, reuse: true } },
      },
      "reused 1",
    ],
    [
      "that was flaky in a green run of the same tree",
      { history: [flakyIn("this tree")] },
      "reused 1",
    ],
    [
      "that was flaky in a green run of another tree",
      { history: [flakyIn("another")] },
      "runs",
    ],
    [
      "that was flaky in a green run of the same tree, with another value of a variable",
      { history: [flakyIn("this tree")], now: other },
      "runs",
    ],
    [
      "that was green in the same tree, and failed under its fingerprint",
      { history: [flakyIn("this tree"), failing("2")] },
      "runs: it failed under the same fingerprint in run 2",
    ],
    [
      "that passed longer ago than its script allows",
      { history: [event("1")], oldest: AT[1] },
      "runs",
    ],
    [
      "that passed since",
      { history: [event("1", { at: AT[1] })], oldest: AT[1] },
      "reused 1",
    ],
    [
      "whose fields have other names in an earlier run",
      {
        own: [passedIn("2", "other", AT[1], { "\n::error::": "1" })],
      },
      'runs: the field "files" of its fingerprint differs from that of the last passing run, in run 2 at commit 0123456789ab, 2026-01-02T00:00:00Z',
    ],
    ["that is checked", { history: [event("1")], recheck: 1 }, "checks 1"],
    [
      "whose files changed, and whose trace holds",
      { history: [event("1")], now: other, candidate: { proof } },
      "reused 9",
    ],
    [
      "whose trace holds, without a fingerprint",
      { now: null, candidate: { proof } },
      "reused 9",
    ],
    [
      "whose trace holds, and that passed under its fingerprint",
      { history: [event("1")], candidate: { proof } },
      "reused 1",
    ],
    [
      "whose trace holds, and that failed under its fingerprint",
      { history: [failing("1")], candidate: { proof } },
      "runs: it failed under the same fingerprint in run 1",
    ],
    [
      "whose trace is checked",
      { now: null, candidate: { proof }, recheck: 1 },
      "checks 9",
    ],
    [
      "whose files changed",
      { history: [event("1")], now: other },
      'runs: the field "files" of its fingerprint differs from that of the last passing run, in run 1 at commit 0123456789ab, 2026-01-01T00:00:00Z',
    ],
    [
      "with a field that the earlier run lacks",
      { history: [event("1")], now: { hex: "other", fields: { tree: "1" } } },
      'runs: the field "tree" of its fingerprint differs from that of the last passing run, in run 1 at commit 0123456789ab, 2026-01-01T00:00:00Z',
    ],
    [
      "that reads a variable of the run",
      {
        history: [event("1")],
        now: {
          hex: "other",
          fields: { variables: "2" },
          varying: ["GITHUB_RUN_ID", "GITHUB_SHA"],
        },
      },
      "runs: it may read GITHUB_RUN_ID, GITHUB_SHA, which differ in each run",
    ],
  ])("%s", (_name, odd, expected) => {
    expect(outcome(odd)).toBe(expected);
  });
});
