import { expect, test } from "@jest/globals";
import { formatEvent } from "../events/line.js";
import { parseEvents } from "../events/ndjson.js";
import type { Distribution } from "../report/distribution.js";
import type { Group } from "../report/groups.js";
import { makeReport } from "../report/make-report.js";
import { syntheticWeeks } from "./six-weeks.test.kit.js";

test("six weeks with 150 pull requests a day have the expected numbers", () => {
  const { events, truth } = syntheticWeeks({ seed: 1 });
  const jobs = events.reduce(
    (sum, event) =>
      event.kind === "run-completed" ? sum + event.jobs.length : sum,
    0,
  );
  expect(jobs).toBeGreaterThanOrEqual(123_000);
  expect(truth.coverage.seen).toBeGreaterThan(6_000);
});

test("the same seed results in the same weeks, and another one in different ones", () => {
  const few = (seed: number) =>
    syntheticWeeks({ seed, days: 2, pullsPerDay: 5 });
  expect(few(1).events).toEqual(few(1).events);
  expect(few(1).truth).not.toEqual(few(2).truth);
});

function shown({ n, values }: Distribution) {
  if (!values) return { n };
  const { p50, p75, p90, p95 } = values;
  return { n, p50: p50.ms, p75: p75.ms, p90: p90.ms, p95: p95.ms };
}

function byName(groups: readonly Group[]) {
  return Object.fromEntries(
    groups.map(({ name, headline }) => [
      name,
      { n: headline.n, p90: headline.values?.p90.ms },
    ]),
  );
}

test("a report on the written and read events has the true numbers", () => {
  const { events, truth } = syntheticWeeks({ seed: 1, pullsPerDay: 40 });
  const parsed = parseEvents(events.map(formatEvent).join(""));
  expect(parsed.strays).toEqual([]);
  const report = makeReport(parsed.events, {
    asOf: Date.parse(truth.window.to),
    days: 42,
  });
  const { coverage, savings, flakes, infrastructure } = report;
  const map = <Name extends string>(of: Readonly<Record<Name, Distribution>>) =>
    Object.fromEntries(
      Object.entries<Distribution>(of).map(([name, each]) => [
        name,
        shown(each),
      ]),
    );
  expect({
    window: { from: report.window.from, to: report.window.to },
    coverage: {
      seen: coverage.seen,
      measured: coverage.measured,
      withBuilds: coverage.withBuilds,
      unfinished: coverage.unfinished.reduce(
        (sum, { count }) => sum + count,
        0,
      ),
      excluded: Object.fromEntries(
        coverage.excluded.map(({ reason, count }) => [reason, count]),
      ),
    },
    measures: map(report.measures),
    stages: map(report.stages),
    builds: shown(report.builds),
    packages: byName(report.packages),
    owners: byName(report.owners),
    series: report.series.map(({ day, delivered, n, p90, dayP90 }) => ({
      day,
      delivered,
      n,
      p90,
      dayP90,
    })),
    savings: { plans: savings.plans, unitsSaved: savings.units.saved },
    flakyRuns: [flakes.runs.count, flakes.runs.of],
    machineFailures: [
      infrastructure.attempts.count,
      infrastructure.attempts.of,
    ],
  }).toEqual(truth);
  expect(coverage.skewedSpans).toBe(0);
});
