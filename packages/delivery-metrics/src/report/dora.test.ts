import { expect, test } from "@jest/globals";
import { at, built, event, MINUTE, published, sha } from "../story.test.kit.js";
import { makeReport } from "./make-report.js";

const DAY = 24 * 60;
const OPTIONS = { asOf: at(DAY), days: 2, until: "published" as const };

/** Two changes in one release, and one in a second release; the second change is reverted. */
const releases = [
  ...built(1, 0, 10),
  ...built(2, 20, 10),
  published(60, { sha: sha("main 2") }),
  ...built(3, 70, 10),
  published(100, { sha: sha("main 3") }),
  event("pull-reverted", 120, { pull: 2, by: 4 }),
];
const ref = { repository: "acme/web", pull: 2 };

test("deployments, failures and the time until a revert is published are counted", () => {
  const { dora } = makeReport(
    [...releases, ...built(4, 110, 10), published(150, { sha: sha("main 4") })],
    OPTIONS,
  );
  const percentile = { ms: 90 * MINUTE, atLeast: false, pull: ref };
  expect(dora).toEqual({
    deployments: 3,
    deploymentsPerDay: 1.5,
    failures: { count: 1, of: 4, rate: 0.25 },
    recovery: {
      n: 1,
      unfinished: 0,
      values: {
        p50: percentile,
        p75: percentile,
        p90: percentile,
        p95: percentile,
        p90Interval: { low: 90 * MINUTE, high: 90 * MINUTE },
      },
    },
  });
});

test("if a revert isn't published yet, the recovery takes at least the time so far", () => {
  const { dora } = makeReport([...releases, ...built(4, 110, 10)], OPTIONS);
  expect(dora).toMatchObject({
    deployments: 2,
    failures: { count: 1, of: 3 },
    recovery: {
      n: 1,
      unfinished: 1,
      values: { p50: { ms: (DAY - 60) * MINUTE, atLeast: true, pull: ref } },
    },
  });
});

test("a revert by a bot counts as a recovery; if changes end with their merge, there are no figures", () => {
  const events = [
    ...releases,
    ...built(4, 110, 10, { bot: true }),
    published(150, { sha: sha("main 4") }),
  ];
  expect(makeReport(events, OPTIONS).dora?.recovery.unfinished).toBe(0);
  expect(makeReport(events, { ...OPTIONS, until: "merged" }).dora).toBeNull();
});
