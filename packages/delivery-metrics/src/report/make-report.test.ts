import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { anyEvent } from "../events/events.test.kit.js";
import { mergeEvents } from "../events/merge-events.js";
import type { DeliveryEvent } from "../events/event.js";
import { at, event, built, MINUTE, published, sha } from "../story.test.kit.js";
import { nearestRank } from "../statistics/nearest-rank.js";
import { makeReport } from "./make-report.js";
import { UNTILS } from "./report.js";
import { HUMAN_STAGES, STAGES } from "./stages.js";

const DAY = 24 * 60;

test("each percentile is the value of a pull request", () => {
  const events = Array.from({ length: 30 }, (_, index) =>
    built(index + 1, index * 60, index + 1),
  ).flat();
  const { measures } = makeReport(events, { asOf: at(5 * DAY), days: 42 });
  const of = (pull: number) => ({
    ms: pull * MINUTE,
    atLeast: false,
    pull: { repository: "acme/web", pull },
  });
  expect(measures.headline).toEqual({
    n: 30,
    unfinished: 0,
    values: {
      p50: of(15),
      p75: of(23),
      p90: of(27),
      p95: of(29),
      p90Interval: { low: 23 * MINUTE, high: 29 * MINUTE },
    },
  });
});

test("below the minimum, there is only the number of values, and no percentile", () => {
  const { measures, series, minimum } = makeReport(built(1, 0, 5), {
    asOf: at(DAY),
    days: 42,
  });
  expect(minimum).toBe(20);
  expect(measures.headline).toEqual({
    n: 1,
    unfinished: 0,
    values: null,
  });
  expect(series.at(-1)).toEqual({
    day: "2026-01-05",
    delivered: 1,
    n: 1,
    p90: null,
    atLeast: false,
    interval: null,
    dayP90: null,
  });
});

test("an empty window and an empty store have a report", () => {
  const nothing = { n: 0, unfinished: 0, values: null };
  for (const events of [[], built(1, 0, 5)]) {
    const report = makeReport(events, { asOf: at(100 * DAY), days: 7 });
    expect(report.measures.headline).toEqual(nothing);
    expect(report.coverage).toEqual({
      unread: { files: [], lines: 0 },
      seen: 0,
      measured: 0,
      withBuilds: 0,
      unfinished: [],
      excluded: [],
      beginsWith: { push: 0, opened: 0 },
      skewedSpans: 0,
      reverted: 0,
      unpublished: events.length > 0 ? ["acme/web"] : [],
    });
    expect(report.series).toHaveLength(7);
    expect(report.flakes.runs).toEqual({ count: 0, of: 0, rate: null });
  }
});

test("a publication contains all merges up to its commit, and the first one counts", () => {
  const events = [
    ...built(1, 0, 10),
    ...built(2, 20, 10),
    ...built(3, 40, 10),
    ...built(4, 60, 10),
    published(100, { sha: sha("main 3") }),
    published(120, { sha: sha("main 3") }),
    published(140, { sha: sha("main 4") }),
  ];
  const { slowest } = makeReport(events, {
    asOf: at(DAY),
    days: 42,
    minimum: 1,
  });
  expect(slowest.map(({ pull, ended }) => [pull, ended])).toEqual([
    [1, new Date(at(100)).toISOString()],
    [2, new Date(at(100)).toISOString()],
    [4, new Date(at(140)).toISOString()],
    [3, new Date(at(100)).toISOString()],
  ]);
});

test("a later commit that is published first also publishes the commits before it", () => {
  const { slowest } = makeReport(
    [
      ...built(1, 0, 10),
      ...built(2, 20, 10),
      published(90, { sha: sha("main 1"), key: "slow" }),
      published(60, { sha: sha("main 2"), key: "quick" }),
    ],
    { asOf: at(DAY), days: 42, minimum: 1 },
  );
  expect(slowest.map(({ pull, ended }) => [pull, ended])).toEqual([
    [1, new Date(at(60)).toISOString()],
    [2, new Date(at(60)).toISOString()],
  ]);
});

test("if packages are published separately, a pull request waits for each package that it changes", () => {
  const of = (...names: string[]) => ({
    channel: "npm" as const,
    packages: names.map((name) => ({ name, version: "1.0.0" })),
    sha: sha("main 3"),
  });
  const attributed = (pull: number, ...packages: string[]) =>
    event("pull-attributed", 50, { pull, packages, owners: [] });
  const events = [
    ...built(1, 0, 10),
    ...built(2, 20, 10),
    ...built(3, 40, 10),
    attributed(1, "ui", "core", "docs"),
    attributed(2, "docs"),
    published(100, of("ui")),
    published(110, of("core")),
  ];
  const { slowest, coverage } = makeReport(events, {
    asOf: at(DAY),
    days: 42,
    minimum: 1,
  });
  expect(slowest.map(({ pull, ended }) => [pull, ended])).toEqual([
    [1, new Date(at(110)).toISOString()],
    // Its package is unknown, so the first publication of any package counts.
    [3, new Date(at(100)).toISOString()],
  ]);
  expect(coverage.excluded).toEqual([
    {
      reason: "publishes-nothing",
      count: 1,
      pulls: [{ repository: "acme/web", pull: 2 }],
    },
  ]);
});

test("a pull request counts for each of its packages and owners, and the report can be limited to one", () => {
  const attributed = (pull: number, packages: string[], owners: string[]) =>
    event("pull-attributed", 50, { pull, packages, owners });
  const events = [
    ...built(1, 0, 10),
    ...built(2, 20, 20),
    ...built(3, 40, 30),
    attributed(1, ["ui", "core"], ["@acme/web"]),
    attributed(2, ["core"], ["@acme/core"]),
  ];
  const options = { asOf: at(DAY), days: 42, minimum: 1 };
  const { packages, owners } = makeReport(events, options);
  expect(
    packages.map(({ name, headline }) => [
      name,
      headline.n,
      headline.values?.p90.ms,
    ]),
  ).toEqual([
    ["core", 2, 20 * MINUTE],
    ["ui", 1, 10 * MINUTE],
  ]);
  expect(owners.map(({ name }) => name)).toEqual(["@acme/core", "@acme/web"]);
  const only = (own: object) =>
    makeReport(events, { ...options, ...own }).slowest.map(({ pull }) => pull);
  expect(only({ package: "core" })).toEqual([2, 1]);
  expect(only({ team: "@acme/web" })).toEqual([1]);
  expect(only({ package: "core", team: "@acme/web" })).toEqual([1]);
  expect(only({ package: "nope" })).toEqual([]);
});

test("pull requests of programs count with the option", () => {
  const events = built(1, 0, 10, { bot: true });
  const of = (bots: boolean) =>
    makeReport(events, { asOf: at(DAY), days: 42, bots }).coverage.measured;
  expect([of(false), of(true)]).toEqual([0, 1]);
});

test("a report of a time contains no later events", () => {
  const events = [...built(1, 0, 10), published(100), ...built(2, 200, 10)];
  const options = { days: 42, minimum: 1, until: "published" as const };
  const unfinished = (asOf: number) =>
    makeReport(events, { ...options, asOf: at(asOf) }).coverage.unfinished.map(
      ({ reason, pulls }) => [reason, ...pulls.map(({ pull }) => pull)],
    );
  expect(unfinished(100)).toEqual([["not-published", 1]]);
  expect(unfinished(101)).toEqual([]);
  expect(unfinished(300)).toEqual([["not-published", 2]]);
});

test("days are in UTC in any time zone, and none has 23 or 25 hours", () => {
  // Daylight saving time started in Europe on 29 March 2026, and in New York on 8 March.
  const zone = process.env["TZ"];
  const lastMinute = (Date.UTC(2026, 2, 29, 23, 59) - at(0)) / MINUTE;
  const series = ["UTC", "Europe/Berlin", "America/New_York"].map((name) => {
    process.env["TZ"] = name;
    try {
      return makeReport(built(1, lastMinute - 10, 10), {
        asOf: Date.UTC(2026, 2, 31),
        days: 30,
        minimum: 1,
      }).series;
    } finally {
      process.env["TZ"] = zone;
    }
  });
  expect(series[1]).toEqual(series[0]);
  expect(series[2]).toEqual(series[0]);
  expect(series[0]).toHaveLength(30);
  expect(
    series[0]?.filter(({ delivered }) => delivered > 0).map(({ day }) => day),
  ).toEqual(["2026-03-29"]);
});

/** Arbitrary events, and complete stories among them. */
const anyStory = fc
  .tuple(
    fc.array(anyEvent, { maxLength: 40 }),
    fc.array(
      fc.tuple(fc.nat({ max: 30 * DAY }), fc.nat({ max: 5000 }), fc.boolean()),
      { maxLength: 30 },
    ),
  )
  .map(([noise, pulls]) => [
    ...noise,
    ...pulls.flatMap(([from, took, bot], index) =>
      built(index + 1, from, took, { bot }),
    ),
  ]);
const OPTIONS = { asOf: at(40 * DAY), days: 42, minimum: 1 };

test("all stages add up to the gross lead time, and those without people to the headline", () => {
  fc.assert(
    fc.property(anyStory, (events) => {
      const { slowest } = makeReport(events, OPTIONS);
      for (const { stages, began, ended, gross, headline } of slowest) {
        const sum = STAGES.reduce((total, name) => total + stages[name], 0);
        expect(sum).toBe(gross);
        expect(gross).toBe(Date.parse(ended) - Date.parse(began));
        expect(Math.min(...Object.values(stages))).toBeGreaterThanOrEqual(0);
        if (headline !== null)
          expect(headline).toBe(
            HUMAN_STAGES.reduce((rest, name) => rest - stages[name], gross),
          );
      }
    }),
  );
});

test("a window's sum equals the sum of its days, and its P90 equals the oracle's", () => {
  fc.assert(
    fc.property(anyStory, fc.nat({ max: 20 }), (events, later) => {
      const asOf = at((20 + later) * DAY);
      const { series, coverage, measures, slowest } = makeReport(events, {
        ...OPTIONS,
        asOf,
        days: 14,
        until: "merged",
      });
      const delivered = series.reduce((sum, day) => sum + day.delivered, 0);
      expect(delivered).toBe(coverage.withBuilds);
      expect(series.at(-1)?.p90 ?? null).toBe(
        measures.headline.values?.p90.ms ?? null,
      );
      if (coverage.withBuilds > 0 && coverage.withBuilds <= slowest.length) {
        const sorted = slowest
          .flatMap(({ headline }) => (headline === null ? [] : [headline]))
          .sort((a, b) => a - b);
        expect(measures.headline.values?.p90.ms).toBe(
          sorted[nearestRank(sorted.length, 90)],
        );
      }
    }),
  );
});

/** Events of few pull requests, branches, commits and runs, so that many of them concern each other. */
const anyCrowd = fc
  .array(fc.tuple(anyEvent, fc.nat()), { maxLength: 60 })
  .map((drawn) =>
    drawn.map(([event, draw]) => {
      const few = <T>(...all: readonly T[]) => all[draw % all.length];
      const own: Record<string, unknown> = {
        at: at(draw % (40 * DAY)),
        created: at((draw % (40 * DAY)) - 5),
        started: at((draw % (40 * DAY)) - 3),
        pull: draw % 5,
        by: (draw + 1) % 5,
        run: draw % 7,
        attempt: 1 + (draw % 3),
        branch: few("a", "b", "main", "gh-readonly-queue/main/pr-1-0", "c"),
        base: "main",
        sha: sha(few("p", "q", "r", "s", "t", "u") ?? ""),
        head: sha(few("u", "p", "q") ?? ""),
        fork: draw % 11 === 0,
        bot: draw % 13 === 0,
        event: few("pull_request", "push", "merge_group", "schedule"),
        pulls: few([], [draw % 5], []),
        packages: few(["web"], ["lib", "web"], []),
        upgrades: [{ name: few("web", "lib"), version: null }],
      };
      if (event.kind === "published")
        own["packages"] = few(null, [{ name: "lib", version: null }]);
      return Object.fromEntries(
        Object.entries(event).map(([name, value]) => [
          name,
          Object.hasOwn(own, name) ? own[name] : (value as unknown),
        ]),
      ) as unknown as DeliveryEvent;
    }),
  );

test("the order of events, duplicates and the size of slices don't change a report", () => {
  fc.assert(
    fc.property(
      fc.oneof(anyStory, anyCrowd, anyCrowd).chain((events) =>
        fc.tuple(
          fc.constant(events),
          fc.shuffledSubarray(mergeEvents(events).slice(), {
            minLength: mergeEvents(events).length,
          }),
        ),
      ),
      fc.constantFrom(undefined, ...UNTILS),
      ([events, shuffled], until) => {
        const options = { ...OPTIONS, until };
        const once = makeReport(events, options);
        expect(makeReport([...events, ...events], options)).toEqual(once);
        expect(makeReport(shuffled, options)).toEqual(once);
        for (const slice of [1, 9])
          expect(makeReport(events, { ...options, slice })).toEqual(once);
      },
    ),
    { numRuns: 60 },
  );
});
