import { expect, test } from "@jest/globals";
import { makeReport, type DeliveryEvent } from "@skein/delivery-metrics";
import { judgeBudget } from "./budget.js";
import { END, weeks } from "./dashboard/dashboard.test.kit.js";

const DAY = 86_400_000;
const MINUTE = 60_000;
const many = weeks({ pulls: 120 });
const newest = Math.max(...many.map(({ at }) => at));

/** Pull requests merged in the last ten days are not published. */
const stuck = weeks({ pulls: 120 }).filter(
  ({ kind, at }) => kind !== "published" || at < END - 10 * DAY,
);

test.each<[string, readonly DeliveryEvent[], number, number, string]>([
  [
    "so many unfinished pull requests that the lower bound is below the budget",
    stuck,
    0,
    30 * 24 * 60,
    "unknown: the budget of 30 d cannot be judged: the P90 is at least 5.7 d, and 26 of 113 pull requests have not ended",
  ],
  [
    "so many unfinished pull requests that the lower bound is above the budget",
    stuck,
    0,
    64,
    "above: the P90 of at least 5.7 d is above the budget of 64 min",
  ],
  ["a P90 within the budget", many, 0, 64, "within"],
  [
    "a P90 above the budget",
    many,
    0,
    62,
    "above: the P90 of 63 min is above the budget of 62 min",
  ],
  [
    "too few pull requests",
    weeks({ pulls: 12 }),
    0,
    64,
    "unknown: the budget of 64 min cannot be judged: 12 pull requests are too few",
  ],
  [
    "no events",
    [],
    0,
    64,
    "unknown: the budget of 64 min cannot be judged: there are no events",
  ],
  [
    "a store to which only verdicts are added",
    [
      ...many.map((event) => ({ ...event, at: event.at - 20 * DAY })),
      {
        kind: "run-judged",
        at: END - 1,
        repository: "acme/web",
        plan: "p",
        sha: "a".repeat(40),
        pull: null,
        units: 1,
        flaky: [],
        infrastructure: [],
        failed: [],
        setupMs: null,
      },
    ],
    0,
    64,
    "unknown: the budget of 64 min cannot be judged: the newest event is of 2026-03-09, 20 days before the window ends; run `ci-dispatch metrics sync`",
  ],
  ["a quiet week", many, newest - END + 7 * DAY, 64, "within"],
  [
    "a store that is no longer synchronized",
    many,
    newest - END + 7 * DAY + 1,
    62,
    "unknown: the budget of 62 min cannot be judged: the newest event is of 2026-03-29, 7 days before the window ends; run `ci-dispatch metrics sync`",
  ],
])("%s", (_, events, later, budget, verdict) => {
  const report = makeReport(events, { asOf: END + later, days: 42 });
  const judged = judgeBudget(report, budget * MINUTE);
  expect(Object.values(judged).join(": ")).toBe(verdict);
});
