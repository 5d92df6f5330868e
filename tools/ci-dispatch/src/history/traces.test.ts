import { describe, expect, test } from "@jest/globals";
import { chooseTraces } from "../plan/units/choose-traces.js";
import type { HistoryEvent } from "./event.js";
import { dayOfTraces, proofsOf, superseded, type TraceRun } from "./traces.js";

/** A run on a day of January, with units; those with a `?` have no evidence. */
const run = (day: number, units: string, more: Partial<TraceRun> = {}) => {
  const made: TraceRun = {
    ...{ version: 1, commit: "c", run: String(day), environment: "here" },
    ...{ script: "test", at: `2026-01-0${day}T00:00:00.000Z`, evidence: {} },
    units: units.split(" ").map((name) => ({
      unit: `${name.replace("?", "")}#test`,
      complete: !name.endsWith("?"),
    })),
    ...more,
  };
  return made;
};

test("a run is removed if all its evidence is superseded", () => {
  const runs = [run(1, "a b"), run(2, "a c?"), run(3, "b a?"), run(4, "d?")];
  expect(superseded(runs).map((each) => each.run)).toEqual(["1"]);
  expect(superseded([run(1, "a"), run(2, "a")])).toHaveLength(1);
  expect(superseded([run(1, "a"), run(2, "a", { script: "e2e" })])).toEqual([]);
});

test("the day of a file of traces", () => {
  expect(dayOfTraces("traces-2026-01-02-3.json.gz")).toBe("2026-01-02");
  expect(dayOfTraces("2026-01-02.ndjson.gz")).toBeUndefined();
});

describe("evidence that counts", () => {
  const event = (
    day: number,
    verdict: HistoryEvent["verdict"],
  ): HistoryEvent => ({
    ...{ version: 1, at: `2026-01-0${day}T12:00:00Z`, commit: "c" },
    ...{ unit: "a#test", ms: 1, verdict },
  });
  const counted = (
    runs: readonly TraceRun[],
    history: readonly HistoryEvent[] = [],
    oldest: string | undefined = "",
  ) =>
    [
      ...proofsOf(runs, {
        ...{ environment: "here", history, oldest: () => oldest },
      }),
    ].map(([unit, proof]) => `${unit} ${proof.run} ${proof.by ?? ""}`);

  test.each<[string, string[], string[]]>([
    [
      "the newest of each unit",
      counted([run(1, "a b"), run(2, "a"), run(3, "b?")]),
      ["a#test 2 trace", "b#test 1 trace"],
    ],
    [
      "only of machines in the same environment",
      counted([run(1, "a"), run(2, "a", { environment: "there" })]),
      ["a#test 1 trace"],
    ],
    [
      "of the requested script, not of the scripts before it",
      counted([run(1, "a", { units: [{ unit: "a#build", complete: true }] })]),
      [],
    ],
    [
      "of a unit that passed since",
      counted([run(1, "a")], [event(1, "passed"), event(2, "recovered")]),
      ["a#test 1 trace"],
    ],
    [
      "not of a failure since",
      counted([run(1, "a")], [event(1, "failed")]),
      [],
    ],
    ["not of a flake since", counted([run(1, "a")], [event(2, "flaky")]), []],
    [
      "of a failure before",
      counted([run(2, "a")], [event(1, "failed")]),
      ["a#test 2 trace"],
    ],
    [
      "not of a run that is too old",
      counted([run(1, "a"), run(3, "b")], [], "2026-01-02T00:00:00Z"),
      ["b#test 3 trace"],
    ],
  ])("%s", (_, found, expected) => {
    expect(found).toEqual(expected);
  });

  test("results that aren't cached have no proof", () => {
    const rules = { environment: "here", history: [] };
    expect(
      proofsOf([run(1, "a")], { ...rules, oldest: () => undefined }).size,
    ).toBe(0);
  });
});

describe("units that a run traces", () => {
  const units = ["a#test", "b#test", "c#test", "a#e2e"].map((whole) => ({
    ...{ whole, workspace: whole.slice(0, 1), script: whole.slice(2) },
    ms: whole === "b#test" ? 100_000 : 10_000,
  }));
  const now = Date.parse("2026-01-05T00:00:00Z");
  const settings = { everyHours: 24, budgetSeconds: 60 };

  test.each<[string, readonly TraceRun[], Partial<typeof settings>, string]>([
    ["what fits in the budget, of one script", [], {}, "a#e2e"],
    [
      "those without a trace first",
      [run(1, "a", { units: [{ unit: "a#e2e", complete: false }] })],
      {},
      "a#test c#test",
    ],
    [
      "the oldest first, even if it exceeds the budget",
      [
        run(3, "a c"),
        run(4, "a", { units: [{ unit: "a#e2e", complete: true }] }),
        run(2, "b"),
      ],
      {},
      "b#test",
    ],
    ["nothing so soon", [run(4, "a")], { everyHours: 25 }, ""],
    ["nothing without a budget", [], { budgetSeconds: 0 }, ""],
  ])("%s", (_, runs, odd, expected) => {
    const chosen = chooseTraces(units, runs, { ...settings, ...odd }, now);
    expect(chosen.map(({ whole }) => whole).join(" ")).toBe(expected);
  });
});
