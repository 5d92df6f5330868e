import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { seededRandom } from "../statistics/random.js";
import { nearestRank } from "../statistics/nearest-rank.js";
import { at, merged, MINUTE, opened, run, sha } from "../story.test.kit.js";
import { makeReport } from "../report/make-report.js";
import { changeOf, percentOf, sideOf } from "./change.js";
import { parseDuration, showLeadTime } from "./duration.js";
import { linkedInModel, parseStageTable } from "./stage-table.js";
import {
  compareWindows,
  sidesOfEvents,
  sidesOfReport,
} from "./window-sides.js";

const table = (stages: Record<string, string>) =>
  parseStageTable({ version: 1, stages });

test("LinkedIn's table: from 38.9 h to 125.1 min is 94.6 % less, and to 70 min is 97.0 % less", () => {
  // The published P90s of its multi-repo, and the predicted and achieved ones of its workspace.
  const before = linkedInModel(
    table({
      "package tests": "18.63 min",
      "package publish": "85.96 min",
      "automated upgrade": "1.55 d",
    }),
  );
  expect(showLeadTime(before)).toBe("38.9 h");
  const reported = ["125.1 min", "70 min"].map((reached) => {
    const after = linkedInModel(table({ workspace: reached }));
    return `${showLeadTime(after)} = ${(-(percentOf(before, after) ?? 0)).toFixed(1)} %`;
  });
  expect(reported).toEqual(["125.1 min = 94.6 %", "70 min = 97.0 %"]);
});

test.each([
  ["120m", 120 * MINUTE],
  ["18.63 min", 18.63 * MINUTE],
  ["1.55 d", 1.55 * 1440 * MINUTE],
  ["6w", 42 * 1440 * MINUTE],
  ["250ms", 250],
  [" 3 h ", 180 * MINUTE],
  ["3", undefined],
  ["-3 h", undefined],
  ["3 constructor", undefined],
  ["h", undefined],
])("%j is parsed as a duration, or refused", (text, ms) => {
  expect(parseDuration(text)).toBe(ms);
});

test.each([
  [0, "0 s"],
  [89_000, "89 s"],
  [90_000, "1.5 min"],
  [125.1 * MINUTE, "125.1 min"],
  [179.96 * MINUTE, "180 min"],
  [180 * MINUTE, "3 h"],
  [4 * 1440 * MINUTE, "4 d"],
])("%d ms is shown as %s", (ms, words) => {
  expect(showLeadTime(ms)).toBe(words);
});

test.each<[unknown, string]>([
  [null, "version is not 1"],
  [{ version: 2 }, "version is not 1"],
  [{ version: 1, stages: [] }, "stages is not an object"],
  [{ version: 1, stages: {} }, "stages is empty"],
  [
    { version: 1, stages: { test: 5 } },
    'stages.test is not a duration, such as "18.63 min" or "1.55 d"',
  ],
])("%j isn't a stage table", (value, words) => {
  expect(() => parseStageTable(value)).toThrow(words);
});

const took = (ms: number) => ({ ms, ended: true });

test("the interval of a change equals that of resampled pairs", () => {
  const random = seededRandom(3);
  const before = Array.from({ length: 150 }, () => 100 + random() * 900);
  const after = Array.from({ length: 90 }, () => 50 + random() * 300);
  const { percent, interval } = changeOf(
    "headline",
    sideOf(before.map(took), 20),
    sideOf(after.map(took), 20),
    random,
  );
  const resampledP90 = (values: readonly number[]) =>
    values
      .map(() => values[Math.floor(random() * values.length)] ?? 0)
      .sort((a, b) => a - b)[nearestRank(values.length, 90)] ?? 0;
  const oracle = Array.from(
    { length: 4000 },
    () => percentOf(resampledP90(before), resampledP90(after)) ?? 0,
  ).sort((a, b) => a - b);
  expect(interval?.low).toBeCloseTo(oracle[99] ?? 0, -0.5);
  expect(interval?.high).toBeCloseTo(oracle[3899] ?? 0, -0.5);
  expect(percent).toBeGreaterThan(interval?.low ?? 0);
  expect(percent).toBeLessThan(interval?.high ?? 0);
});

test("if a side's P90 may be unbounded, the interval reaches -100 %, or there is none", () => {
  const bounded = Array.from({ length: 28 }, (_, ms) => took(ms + 1));
  const stuck = [
    { ms: 50, ended: false },
    { ms: 50, ended: false },
  ];
  const open = sideOf([...bounded, ...stuck], 20);
  const ended = sideOf([...bounded, took(29), took(30)], 20);
  expect([open.ms, open.atLeast, ended.ms]).toEqual([27, false, 27]);
  const change = (before: typeof open, after: typeof open) =>
    changeOf("headline", before, after, seededRandom(2));
  expect(change(open, ended)).toMatchObject({
    percent: 0,
    interval: { low: -100 },
  });
  expect(change(ended, open)).toMatchObject({ percent: 0, interval: null });
});

test("the same seed results in the same interval, and equal sides in a change of 0 %", () => {
  const values = fc.array(fc.nat(), { minLength: 1, maxLength: 50 });
  fc.assert(
    fc.property(values, fc.integer(), (list, seed) => {
      const change = () =>
        changeOf(
          "gross",
          sideOf(list.map(took), 1),
          sideOf(list.map(took), 1),
          seededRandom(seed),
        );
      expect(change()).toEqual(change());
      const { percent, before } = change();
      expect(percent).toBe(before.ms === 0 ? null : 0);
    }),
    { numRuns: 30 },
  );
});

const events = Array.from({ length: 60 }, (_, index) => {
  const pull = index + 1;
  const from = index * 1440;
  // Thirty days with builds of 40 minutes, then thirty days with builds of 10 minutes.
  const took = index < 30 ? 40 : 10;
  return [
    opened(pull, from),
    ...run(pull, from, from + took, { sha: sha(`head ${pull}`) }),
    merged(pull, from + took),
  ];
}).flat();
const before = { asOf: at(30 * 1440), days: 30 };
const after = { asOf: at(60 * 1440), days: 30 };

test("two windows of the same events are compared", () => {
  const [headline] = compareWindows(
    sidesOfEvents(events, before),
    sidesOfEvents(events, after),
    seededRandom(1),
  );
  expect(headline).toEqual({
    of: "headline",
    before: { n: 30, ms: 40 * MINUTE, atLeast: false },
    after: { n: 30, ms: 10 * MINUTE, atLeast: false },
    percent: -75,
    interval: { low: -75, high: -75 },
  });
});

test("a stored report has P90s without an interval; rows that are 0 on both sides are skipped", () => {
  const changes = compareWindows(
    sidesOfReport(makeReport(events, before)),
    sidesOfEvents(events, after),
    seededRandom(1),
  );
  expect(
    changes.map(({ of, percent, interval }) => [of, percent, interval]),
  ).toEqual([
    ["headline", -75, null],
    ["gross", -75, null],
    ["machine", -75, null],
    ["builds", -75, null],
    ["build", -75, null],
  ]);
});

test("for a side with too few values, the comparison has their number but no change", () => {
  const [headline] = compareWindows(
    sidesOfEvents(events, { ...before, days: 5 }),
    sidesOfEvents(events, after),
    seededRandom(1),
  );
  expect(headline).toMatchObject({
    before: { n: 5, ms: null },
    percent: null,
    interval: null,
  });
});
