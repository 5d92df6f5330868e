import { expect, test } from "@jest/globals";
import type { DeliveryEvent } from "../events/event.js";
import {
  at,
  built,
  merged,
  MINUTE,
  minutes,
  opened,
  published,
  run,
  sha,
} from "../story.test.kit.js";
import { makeReport } from "./make-report.js";

const DAY = 24 * 60;

/** Returns a pull request that was merged after a build of 40 minutes, and published at once if `isOut`. */
function stuckOrNot(pull: number, from: number, isOut: boolean) {
  return [
    ...built(pull, from, 40),
    ...(isOut
      ? [published(from + 41, { key: `v${pull}`, pulls: [pull] })]
      : []),
  ];
}

test("in a stalled release pipeline, waiting changes count as at least their age", () => {
  // 25 were published after 41 minutes. 60 have been stuck for up to 12 days.
  const events = Array.from({ length: 85 }, (_, index) =>
    stuckOrNot(index + 1, index * 280, index < 25),
  ).flat();
  const asOf = at(84 * 280 + 60);
  const { measures, coverage, series, slowest, stages } = makeReport(events, {
    asOf,
    days: 42,
  });
  const age = (pull: number) => asOf - at((pull - 1) * 280);
  const ref = (pull: number) => ({ repository: "acme/web", pull });
  expect(measures.headline).toEqual({
    n: 85,
    unfinished: 60,
    values: {
      p50: { ms: age(68), atLeast: true, pull: ref(68) },
      p75: { ms: age(47), atLeast: true, pull: ref(47) },
      p90: { ms: age(34), atLeast: true, pull: ref(34) },
      p95: { ms: age(30), atLeast: true, pull: ref(30) },
      p90Interval: null,
    },
  });
  expect(coverage).toMatchObject({
    seen: 85,
    measured: 85,
    excluded: [],
    unfinished: [{ reason: "not-published", count: 60 }],
  });
  expect(coverage.unfinished[0]?.pulls[0]).toEqual(ref(85));
  expect(series.at(-1)).toMatchObject({
    n: 85,
    p90: age(34),
    atLeast: true,
    interval: null,
  });
  // The day on which 20 were published and none was stuck.
  expect(series.find(({ n }) => n === 21)).toMatchObject({
    p90: 41 * MINUTE,
    atLeast: false,
  });
  expect(slowest[0]).toMatchObject({
    pull: 26,
    unfinished: true,
    gross: age(26),
    ended: new Date(asOf).toISOString(),
  });
  // Their builds have ended, so they are known completely.
  expect(stages.build).toMatchObject({
    unfinished: 0,
    values: { p90: { ms: 40 * MINUTE, atLeast: false } },
  });
});

test("a few unfinished changes affect only the percentiles above their age", () => {
  const events = Array.from({ length: 100 }, (_, index) => [
    ...built(index + 1, 0, 40),
    ...(index < 97
      ? [published(41 + index, { key: `v${index}`, pulls: [index + 1] })]
      : []),
  ]).flat();
  const report = (minutesLater: number) =>
    makeReport(events, { asOf: at(minutesLater), days: 42 }).measures.headline;
  // All 100 exist when the 90th is published.
  expect(report(1000).values).toMatchObject({
    p90: { ms: 130 * MINUTE, atLeast: false, pull: { pull: 90 } },
    p95: { ms: 135 * MINUTE, atLeast: false },
    p90Interval: { low: 123 * MINUTE, high: 135 * MINUTE },
  });
  // After 52 minutes, eleven are published.
  expect(report(52)).toMatchObject({
    n: 100,
    unfinished: 89,
    values: { p50: { ms: 52 * MINUTE, atLeast: true } },
  });
});

test.each<[string, readonly DeliveryEvent[], unknown]>([
  [
    "merged and not yet published",
    [
      opened(1, 0),
      ...run(1, 0, 10, { wait: 2 }),
      merged(1, 30),
      published(20, { sha: null }),
    ],
    {
      queue: 2,
      build: 8,
      review: 20,
      "publish-wait": DAY - 30,
      gross: DAY,
      headline: DAY - 20,
      machine: 10,
    },
  ],
  [
    "with a run that has not ended",
    [
      opened(1, 0),
      ...run(1, 0, null),
      merged(1, 1),
      published(0, { sha: null }),
    ],
    {
      build: 1,
      "publish-wait": DAY - 1,
      gross: DAY,
      headline: DAY,
      machine: 1,
    },
  ],
])("the stages so far: %s", (_, events, expected) => {
  const { slowest } = makeReport(events, {
    asOf: at(DAY),
    days: 42,
    minimum: 1,
  });
  const [only] = slowest;
  if (!only) throw new Error("it is not measured");
  const { gross, headline, machine, stages } = only;
  const spent = Object.entries({
    ...stages,
    gross,
    headline: headline ?? 0,
    machine: machine ?? 0,
  }).filter(([, ms]) => ms > 0);
  expect(
    Object.fromEntries(spent.map(([name, ms]) => [name, minutes(ms)])),
  ).toEqual(expected);
  expect(only.unfinished).toBe(true);
});

test("an unfinished change counts in the window of its merge, also that of a program or one without builds", () => {
  const { coverage } = makeReport(
    [
      opened(1, 0, { bot: true }),
      merged(1, 10),
      opened(2, 0),
      merged(2, 5),
      opened(3, 0),
      merged(3, 20),
      published(30, { pulls: [3] }),
    ],
    { asOf: at(DAY), days: 42 },
  );
  const ref = (pull: number) => ({ repository: "acme/web", pull });
  expect(coverage.excluded).toEqual([
    { reason: "no-builds", count: 2, pulls: [ref(3), ref(2)] },
    { reason: "bot", count: 1, pulls: [ref(1)] },
  ]);
});

test("the build of a commit is that of the pull request, not that of the merge queue", () => {
  const { builds } = makeReport(
    [
      opened(1, 0),
      ...run(1, 0, 10),
      ...run(2, 12, 40, {
        event: "merge_group",
        branch: "gh-readonly-queue/main/pr-1-abc",
        sha: sha("group"),
      }),
      merged(1, 41),
    ],
    { asOf: at(DAY), days: 42, minimum: 1 },
  );
  expect(builds).toMatchObject({ n: 1, values: { p50: { ms: 10 * MINUTE } } });
});
