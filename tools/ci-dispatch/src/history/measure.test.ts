import { expect, test } from "@jest/globals";
import { eventLine, parseEvents, type HistoryEvent } from "./event.js";
import { measure, p90, recoveries } from "./measure.js";

const event = (
  minute: number,
  ms: number,
  more: Partial<HistoryEvent> = {},
): HistoryEvent => ({
  version: 1,
  at: new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString(),
  commit: "c",
  unit: "a#test",
  ms,
  verdict: "passed",
  ...more,
});

test.each([
  [[], 0],
  [[5], 5],
  [[1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 9],
  [[10, 1], 10],
])("the P90 of %j is %d, by nearest rank", (values, expected) => {
  expect(p90(values)).toBe(expected);
});

test("the newest 50 runs that passed count, in any order", () => {
  const old = Array.from({ length: 30 }, (_, i) => event(i, 9_000_000));
  const recent = Array.from({ length: 50 }, (_, i) => event(100 + i, i + 1));
  const failed = event(999, 1, { verdict: "failed" });
  const flaky = event(1000, 50, {
    verdict: "flaky",
    files: { "x.test.js": 7 },
  });
  const recovered = [0, 200].map((minute) =>
    event(minute, 9_000_000, { verdict: "recovered" }),
  );
  expect(measure([failed, ...recovered, ...recent, ...old, flaky])).toEqual(
    new Map([
      [
        "a#test",
        {
          runs: 50,
          p90Ms: 46,
          files: new Map([["x.test.js", 7]]),
          flakes: 1,
        },
      ],
    ]),
  );
});

test("recoveries are counted in the newest 50 runs that passed", () => {
  const lost = { verdict: "recovered" } as const;
  const runs = Array.from({ length: 49 }, (_, i) => event(100 + i, 1));
  const events = [event(0, 1, lost), ...runs, event(200, 1, lost)];
  const failed = event(300, 1, { verdict: "failed", unit: "b#test" });
  expect(recoveries([...events, failed])).toEqual(new Map([["a#test", 1]]));
});

test("lines that aren't events are counted and skipped", () => {
  const good = event(1, 5);
  const text = [
    eventLine(good),
    "{half\n",
    "null\n",
    "\n",
    `${JSON.stringify({ ...good, ms: -1 })}\n`,
    `${JSON.stringify({ ...good, version: 2 })}\n`,
    `${JSON.stringify({ ...good, at: "soon" })}\n`,
    JSON.stringify({ ...good, files: { a: "x", b: 3 } }),
  ].join("");
  expect(parseEvents(text)).toEqual({
    events: [good, { ...good, files: { b: 3 } }],
    malformed: 5,
  });
});
