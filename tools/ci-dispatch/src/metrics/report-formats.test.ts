import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { syntheticWeeks } from "@skein/delivery-metrics/synthetic";
import { findProgram, suiteDir } from "@skein/testing";
import { metricsIn, writeStore } from "./call.test.kit.js";
import { readOpenMetrics } from "./render/open-metrics.test.kit.js";

const { events, truth } = syntheticWeeks({ seed: 5, days: 6, pullsPerDay: 30 });

const temp = await suiteDir(afterAll);
beforeAll(async () => {
  await writeStore(join(temp, "events"), events);
});

const report = (...args: string[]) =>
  metricsIn(temp, [
    ...["report", "--store=events", "--as-of=2026-01-10", "--window=6d"],
    ...args,
  ]);

/** Reads a file with the expected output of a command. */
const fixture = (name: string) =>
  readFile(new URL(`../../fixtures/metrics/${name}`, import.meta.url), "utf8");

test("OpenMetrics: a strict parser reads the report's numbers", async () => {
  const { stdout } = await report("--openmetrics");
  const families = readOpenMetrics(stdout);
  expect(new Set(families.map(({ unit }) => unit))).toEqual(
    new Set(["", "ratio", "seconds"]),
  );
  const lead = families.find(({ name }) => name.includes("lead_time"));
  const p90 = lead?.samples.find(
    ({ labels }) =>
      Object.values(labels).includes("headline") &&
      Object.values(labels).includes("90"),
  );
  expect(p90?.value).toBe(truth.measures.headline.p90 / 1000);
});

test.each([
  ['a_seconds{a="1"} 1\n# EOF\n', "it is apart from its family"],
  ['# TYPE a gauge\n# HELP a A\na{b="1"} 1\na{b="1"} 2\n# EOF\n', "twice"],
  ["# TYPE a gauge\n# UNIT a seconds\n# HELP a A\na 1\n# EOF\n", "its unit"],
  ['# TYPE a gauge\n# HELP a A\na{b="\\x"} 1\n# EOF\n', "no label"],
  ["# TYPE a gauge\n# HELP a A\na 1e\n# EOF\n", "no number"],
  ["# TYPE a gauge\na 1\n# EOF\n", "is missing"],
  ["# TYPE a gauge\n# HELP a A\na 1\n", "# EOF"],
])("the strict parser rejects %j", (text, why) => {
  expect(() => readOpenMetrics(text)).toThrow(why);
});

/** Debian's package `prometheus` contains it. */
const promtool = findProgram({
  names: ["promtool"],
  variable: "PROMTOOL_PATH",
  package: "prometheus",
  tests: "promtool's check of OpenMetrics",
});
if (promtool !== undefined)
  test("promtool reports no problem", async () => {
    const { stdout } = await report("--openmetrics");
    const { status, stderr } = spawnSync(promtool, ["check", "metrics"], {
      input: stdout,
      encoding: "utf8",
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  });

interface OtlpMetric {
  readonly name: string;
  readonly unit: string;
  readonly gauge?: { readonly dataPoints: readonly unknown[] };
  readonly histogram?: {
    readonly aggregationTemporality: number;
    readonly dataPoints: readonly {
      readonly startTimeUnixNano: string;
      readonly timeUnixNano: string;
      readonly attributes: unknown;
      readonly count: string;
      readonly bucketCounts: readonly string[];
      readonly explicitBounds: readonly number[];
      readonly sum: number;
    }[];
  };
}

async function otlp(...args: string[]): Promise<readonly OtlpMetric[]> {
  const { stdout } = await report("--otlp", ...args);
  const { resourceMetrics } = JSON.parse(stdout) as {
    resourceMetrics: [{ scopeMetrics: [{ metrics: OtlpMetric[] }] }];
  };
  return resourceMetrics[0].scopeMetrics[0].metrics;
}

test("OTLP: nightly exports count each run once, although their windows overlap", async () => {
  const nights = [];
  for (const [asOf, window] of [
    ["2026-01-09", "3d"],
    ["2026-01-10", "3d"],
    ["2026-01-10", "6d"],
  ])
    nights.push(
      (await otlp(`--as-of=${asOf ?? ""}`, `--window=${window ?? ""}`)).find(
        ({ name }) => name === "cicd.pipeline.run.duration",
      )?.histogram,
    );
  const [before, after, longer] = nights;
  expect(after).toEqual(longer);
  const starts = nights.flatMap(
    (night) => night?.dataPoints.map((each) => each.startTimeUnixNano) ?? [],
  );
  // 5 January 2026, 00:00 UTC: the first day of the store.
  expect(new Set(starts)).toEqual(new Set(["1767571200000000000"]));
  const counts = (night: typeof before) =>
    new Map(
      night?.dataPoints.map(({ attributes, count }) => [
        JSON.stringify(attributes),
        Number(count),
      ]),
    );
  const grown = counts(after);
  for (const [series, times] of counts(before))
    expect(grown.get(series)).toBeGreaterThanOrEqual(times);
});

test("OTLP: OpenTelemetry's names, and histograms with all buckets", async () => {
  const metrics = await otlp();
  expect(metrics.map(({ name, unit }) => [name, unit])).toEqual([
    ["cicd.pipeline.run.duration", "s"],
    ["vcs.change.time_to_merge", "s"],
    ["skein.lead_time", "s"],
    ["skein.stage", "s"],
  ]);
  const [runs, merges] = metrics;
  // The value 2 means cumulative.
  expect(runs?.histogram?.aggregationTemporality).toBe(2);
  let attempts = 0;
  for (const point of runs?.histogram?.dataPoints ?? []) {
    expect(point.bucketCounts).toHaveLength(point.explicitBounds.length + 1);
    const sum = point.bucketCounts.reduce((all, each) => all + Number(each), 0);
    expect(String(sum)).toBe(point.count);
    attempts += sum;
  }
  // Each attempt counts twice: once while it waits, and once while it runs.
  expect(attempts).toBe(2 * truth.machineFailures[1]);
  expect(merges?.gauge?.dataPoints).toHaveLength(truth.coverage.seen);
  expect(merges?.gauge?.dataPoints[0]).toEqual(
    JSON.parse(await fixture("otlp-point.json")),
  );
});
