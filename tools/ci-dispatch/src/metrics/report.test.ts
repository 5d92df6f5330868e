import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { appendFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { formatEvent, type DeliveryReport } from "@skein/delivery-metrics";
import { syntheticWeeks } from "@skein/delivery-metrics/synthetic";
import { buildHistory, gitIn, suiteDir } from "@skein/testing";
import { dispatchIn } from "../cli.test.kit.js";
import { metricsIn, writeStore } from "./call.test.kit.js";

const { events, truth } = syntheticWeeks({ seed: 5, days: 6, pullsPerDay: 30 });
const WINDOW = ["--as-of=2026-01-10", "--window=6d"];

const temp = await suiteDir(afterAll);
beforeAll(async () => {
  await writeStore(join(temp, "events"), events);
});

const report = (...args: string[]) =>
  metricsIn(temp, ["report", "--store=events", ...WINDOW, ...args]);

/** Reads a file with the expected output of a command. */
const fixture = (name: string) =>
  readFile(new URL(`../../fixtures/metrics/${name}`, import.meta.url), "utf8");

test.each([
  ["report.txt", ["--baseline=2026-01-08"]],
  ["report.md", ["--markdown", "--baseline=2026-01-08"]],
  ["report.csv", ["--csv"]],
  ["report.prom", ["--openmetrics"]],
])("the output is %s", async (name, args) => {
  const ended = await report(...args);
  expect(ended).toEqual({
    exitCode: 0,
    stdout: await fixture(name),
    stderr: "",
  });
});

test("the numbers are correct", async () => {
  const { stdout } = await report("--json");
  const { measures, coverage } = JSON.parse(stdout) as DeliveryReport;
  const { measured, withBuilds } = truth.coverage;
  expect([measures.headline.n, measures.gross.n]).toEqual([
    withBuilds,
    measured,
  ]);
  for (const name of ["headline", "gross", "machine"] as const)
    expect(measures[name].values?.p90.ms).toBe(truth.measures[name].p90);
  expect(coverage.seen).toBe(truth.coverage.seen);
});

test("a stored report is a baseline, without an interval", async () => {
  const { stdout } = await report("--json");
  await writeFile(join(temp, "kept.json"), stdout);
  const { stdout: json } = await report("--json", "--baseline=kept.json");
  const { baseline } = JSON.parse(json) as DeliveryReport;
  expect(baseline?.changes[0]).toEqual({
    of: "headline",
    before: {
      n: truth.measures.headline.n,
      ms: truth.measures.headline.p90,
      atLeast: false,
    },
    after: {
      n: truth.measures.headline.n,
      ms: truth.measures.headline.p90,
      atLeast: false,
    },
    percent: 0,
    interval: null,
  });
});

test("by default, the end is the last one in the data, with a warning; metrics.until or --until fixes it", async () => {
  const folder = join(temp, "ends");
  await writeStore(
    join(folder, "events"),
    events.filter(({ kind }) => kind !== "published"),
  );
  const ends = async (...args: string[]) => {
    const { exitCode, stdout, stderr } = await metricsIn(folder, [
      ...["report", "--store=events", ...WINDOW, ...args],
    ]);
    return [exitCode, stdout.slice(0, stdout.indexOf("\n")), stderr];
  };
  const title = "acme/shop, 6 days to 2026-01-11 00:00 UTC, commit to";
  const unknown = "warning: no publication of acme/shop is known, so";
  expect(await ends("--fail-above=24h")).toEqual([
    0,
    `${title} merge, the last known end`,
    `${unknown} lead times end with the merge\nhint: add its publications to metrics.publish in skein.json, or set metrics.until to "merged"\n`,
  ]);
  await writeFile(join(folder, "package.json"), "{}");
  await writeFile(
    join(folder, "skein.json"),
    '{ "metrics": { "until": "published" } }',
  );
  const [exitCode, ...words] = await ends("--fail-above=30d");
  expect([exitCode, words[0]]).toEqual([3, `${title} publish`]);
  expect(words[1]).toMatch(
    /^warning: no publication of acme\/shop is known, so none of its pull requests has ended\nhint: add its publications to metrics.publish in skein.json\nthe budget of 30 d cannot be judged: the P90 is at least \d\.\d d, and 158 of 158 pull requests have not ended\n$/,
  );
  // The option takes precedence over the settings.
  expect(await ends("--until=merged")).toEqual([0, `${title} merge`, ""]);
});

test("a baseline with a nearer end: both windows are measured to that end", async () => {
  const kept = join(temp, "merged.json");
  const { stdout } = await report("--json", "--until=merged");
  await writeFile(kept, stdout);
  const ended = await report("--json", `--baseline=${kept}`);
  const { until, baseline } = JSON.parse(ended.stdout) as DeliveryReport;
  expect([until, baseline?.until]).toEqual(["published", "merged"]);
  expect(baseline?.changes.map(({ percent }) => percent)).toEqual(
    baseline?.changes.map(() => 0),
  );
  const refused = await report("--until=published", `--baseline=${kept}`);
  expect([refused.exitCode, refused.stdout]).toEqual([2, ""]);
  expect(refused.stderr).toMatch(
    /merged.json ends with the merge, and the requested end/,
  );
});

test("a budget: within, above, and unknown", async () => {
  const ends = async (...args: string[]) => {
    const { exitCode, stderr } = await report(...args);
    return [exitCode, stderr];
  };
  expect(await ends("--fail-above=24h")).toEqual([0, ""]);
  expect(await ends("--fail-above=10m")).toEqual([
    1,
    "the P90 of 69 min is above the budget of 10 min\n",
  ]);
  expect(await ends("--fail-above=10m", "--min=1000")).toEqual([
    3,
    `the budget of 10 min cannot be judged: ${truth.measures.headline.n} pull requests are too few\n`,
  ]);
  // This store is no longer synchronized.
  const { exitCode, stderr } = await metricsIn(temp, [
    ...["report", "--store=events", "--as-of=2026-01-31", "--fail-above=24h"],
  ]);
  expect([exitCode, stderr]).toEqual([
    3,
    "the budget of 24 h cannot be judged: the newest event is of 2026-01-10, 21 days before the window ends; run `ci-dispatch metrics sync`\n",
  ]);
});

test("a file that ends in the middle of a line is reported, and its other lines count", async () => {
  const folder = join(temp, "half");
  await writeStore(folder, events);
  const whole = await readFile(join(folder, "a.ndjson"), "utf8");
  await writeFile(join(folder, "a.ndjson"), whole.slice(0, -20));
  const ends = (...args: string[]) =>
    metricsIn(temp, ["report", "--store=half", ...WINDOW, ...args]);
  const { exitCode, stdout, stderr } = await ends("--json", "--fail-above=24h");
  expect([exitCode, stderr]).toEqual([
    3,
    "warning: a.ndjson ends in the middle of a line; the events that followed are missing from every number\n",
  ]);
  const { coverage } = JSON.parse(stdout) as DeliveryReport;
  expect(coverage.unread).toEqual({ files: ["a.ndjson"], lines: 0 });
  expect(coverage.measured).toBeGreaterThan(100);
  // A complete last line needs no newline.
  await writeFile(join(folder, "a.ndjson"), whole.trimEnd());
  expect(await ends("--openmetrics")).toEqual({
    exitCode: 0,
    stdout: await fixture("report.prom"),
    stderr: "",
  });
});

test("in a step of Actions, the report is also added to the job summary", async () => {
  const file = join(temp, "summary.md");
  await metricsIn(temp, ["report", "--store=events", ...WINDOW, "--json"], {
    GITHUB_STEP_SUMMARY: file,
    GITHUB_SERVER_URL: "https://git.acme.example",
  });
  expect(await readFile(file, "utf8")).toBe(
    (await fixture("summary.md")).replaceAll(
      "https://github.com",
      "https://git.acme.example",
    ),
  );
});

test("a broken file is named on stderr and in the report, and the other files are read in order", async () => {
  const folder = join(temp, "broken");
  await mkdir(folder);
  const day = (name: string) => `delivery-2026-01-${name}`;
  const kept = events.filter(({ at }) => at < Date.UTC(2026, 0, 9));
  const [opened] = kept.filter((event) => event.kind === "pull-opened");
  if (!opened) throw new Error("no pull request");
  const reported = (title: string) => formatEvent({ ...opened, title });
  await writeFile(
    join(folder, day("08.ndjson")),
    kept.map(formatEvent).join(""),
  );
  await writeFile(join(folder, day("09.ndjson.br")), "no archive");
  await writeFile(
    join(folder, day("10.1.ndjson.gz")),
    gzipSync(reported("new")),
  );
  await writeFile(join(folder, day("10.ndjson.gz")), gzipSync(reported("old")));
  const ends = (...args: string[]) =>
    metricsIn(temp, ["report", "--store=broken", ...WINDOW, ...args]);
  const json = await ends("--json", "--fail-above=24h");
  expect([json.exitCode, json.stderr]).toEqual([
    3,
    "warning: delivery-2026-01-09.ndjson.br is broken; events that only this file holds are missing from every number\n",
  ]);
  const { coverage, slowest } = JSON.parse(json.stdout) as DeliveryReport;
  expect(coverage.unread).toEqual({
    files: ["delivery-2026-01-09.ndjson.br"],
    lines: 0,
  });
  expect(slowest.map(({ title }) => title)).not.toContain("old");
  for (const format of ["--markdown", "--window=6d"]) {
    const { exitCode, stdout } = await ends(format);
    expect(exitCode).toBe(3);
    expect(stdout.replaceAll("\\", "")).toContain(
      "missing from every number: events of delivery-2026-01-09.ndjson.br, which is broken\n",
    );
  }
});

test("lines that aren't events, and kinds of later versions, are reported", async () => {
  const folder = join(temp, "mixed");
  await writeStore(folder, events);
  await appendFile(
    join(folder, "a.ndjson"),
    'nonsense\n{"v":1,"kind":"pull-\\u001b[31mpinned","at":"2026-01-05T00:00:00Z"}\n',
  );
  const { exitCode, stdout, stderr } = await metricsIn(temp, [
    "report",
    "--store=mixed",
    ...WINDOW,
    "--openmetrics",
  ]);
  expect({ exitCode, stdout, stderr }).toEqual({
    exitCode: 0,
    stdout: await fixture("report.prom"),
    stderr: [
      "warning: skipped 1 line of the kind pull-\\u001b[31mpinned, which this version doesn't recognize\n",
      "warning: skipped 1 line that isn't an event\n",
    ].join(""),
  });
});

test.each<[string[], RegExp]>([
  [["--as-of=2026-02-30"], /^ci-dispatch: --as-of 2026-02-30 isn't a date\n/],
  [["--as-of=2026-01-31T12:00"], /isn't a date\nhint: use a date/],
  [["--json", "--csv"], /^ci-dispatch: --json and --csv can't be combined/],
  [["--window=5h"], /it must be whole days or weeks/],
  [["--fail-above=120"], /it must be a span, such as 120m or 6w/],
  [["--until=tomorrow"], /the choices are merged, published, upgraded/],
  [["--baseline=gone.json"], /^ci-dispatch: gone.json: cannot be read/],
  [["--baseline=events/a.ndjson"], /this isn't a report of version 1/],
  [["--store=gone"], /^ci-dispatch: gone: cannot be read/],
  [["--store=empty"], /^ci-dispatch: empty: there is no file of events/],
])("%j is wrong usage", async (args, words) => {
  await mkdir(join(temp, "empty"), { recursive: true });
  const { exitCode, stdout, stderr } = await metricsIn(temp, [
    "report",
    "--store=events",
    ...args,
  ]);
  expect(stderr).toMatch(words);
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
});

test("events are read from the branch of a remote that also has durations", async () => {
  const dir = join(temp, "branch");
  await mkdir(join(dir, "source"), { recursive: true });
  await writeStore(join(dir, "store"), events);
  const bytes = await readFile(join(dir, "store", "a.ndjson"), "utf8");
  const rest = events.slice(Math.floor(events.length / 2));
  buildHistory(join(dir, "source"), [
    { files: { "a.txt": "1\n" } },
    {
      branch: "ci-history",
      files: {
        "delivery-a.ndjson": bytes,
        "delivery-b.ndjson": rest.map(formatEvent).join(""),
        "2026-01-05.ndjson.gz": "durations, which are none of these",
      },
    },
  ]);
  gitIn(dir, "clone", "--quiet", "source", "clone");
  const ended = await dispatchIn(join(dir, "clone"), [
    "metrics",
    "report",
    ...WINDOW,
    "--openmetrics",
  ]);
  expect(ended).toEqual({
    exitCode: 0,
    stdout: await fixture("report.prom"),
    stderr: "",
  });
  const none = await dispatchIn(
    join(dir, "clone"),
    "metrics report --branch=other",
  );
  expect([none.exitCode, none.stderr]).toEqual([
    2,
    "ci-dispatch: the branch other of origin contains no events\nhint: `ci-dispatch metrics sync` writes them; --store names a folder\n",
  ]);
});
