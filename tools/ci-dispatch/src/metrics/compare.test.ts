import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { syntheticWeeks } from "@skein/delivery-metrics/synthetic";
import { suiteDir } from "@skein/testing";
import { metricsIn, writeStore } from "./call.test.kit.js";

const temp = await suiteDir(afterAll);
beforeAll(async () => {
  const { events } = syntheticWeeks({ seed: 5, days: 6, pullsPerDay: 30 });
  await writeStore(join(temp, "events"), events);
  // The same delivery without its publications.
  await writeStore(
    join(temp, "unpublished"),
    events.filter(({ kind }) => kind !== "published"),
  );
});

const compare = (...args: string[]) => metricsIn(temp, ["compare", ...args]);
const linkedIn = (name: string) =>
  fileURLToPath(
    new URL(`../../fixtures/metrics/linkedin-${name}.json`, import.meta.url),
  );

test("LinkedIn's stage table, and its predicted and reached values", async () => {
  const ended = await compare(
    linkedIn("multi-repo"),
    linkedIn("predicted"),
    linkedIn("reached"),
    "--stages",
  );
  expect(ended).toEqual({
    exitCode: 0,
    stdout: [
      "package tests      18.6 min",
      "package publish      86 min",
      "automated upgrade    37.2 h",
      "->",
      "workspace pipeline  125.1 min",
      "->",
      "workspace pipeline  70 min",
      "",
      "LinkedIn's model: the sum of stage P90s. P90s do not add up, so this is the P90 of no change",
      "38.9 h -> 125.1 min = 94.6 % less",
      "38.9 h -> 70 min = 97.0 % less",
      "",
    ].join("\n"),
    stderr: "",
  });
});

test("stage tables are summed only with --stages", async () => {
  const { exitCode, stdout, stderr } = await compare(
    linkedIn("multi-repo"),
    linkedIn("reached"),
  );
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
  expect(stderr).toMatch(
    /stage P90s do not add up to a lead time\nhint: --stages sums them anyway/,
  );
});

test("two windows, as days of one store and as folders at a day", async () => {
  const window = ["--window=3d", "--min=10"];
  const days = await compare(
    "2026-01-07",
    "2026-01-10",
    "--store=events",
    ...window,
  );
  const folders = await compare(
    "events@2026-01-07",
    "events@2026-01-10",
    ...window,
  );
  expect(days.stderr).toBe("");
  expect(days.exitCode).toBe(0);
  const [title, before, after, heading, headline] = days.stdout.split("\n");
  expect([title, before, after]).toEqual([
    "2026-01-07 -> 2026-01-10",
    "before: 3 days to 2026-01-08 00:00 UTC, commit to publish",
    "after: 3 days to 2026-01-11 00:00 UTC, commit to publish",
  ]);
  expect(heading).toMatch(
    /^P90 of +before +n +after +n +change +confidence interval$/,
  );
  expect(headline).toMatch(
    /^headline: without human waiting +[\d.]+ min +\d+ +[\d.]+ min +\d+ +[\d.]+ % (less|more) +-?[\d.]+ to -?[\d.]+ %$/,
  );
  expect(folders.stdout).toBe(
    days.stdout.replace(title ?? "", "events@2026-01-07 -> events@2026-01-10"),
  );
});

test("a stored report and a store, as JSON", async () => {
  const { stdout } = await metricsIn(temp, [
    "report",
    "--store=events",
    "--as-of=2026-01-10",
    "--window=6d",
    "--json",
  ]);
  await writeFile(join(temp, "kept.json"), stdout);
  const ended = await compare(
    "kept.json",
    "events@2026-01-10",
    "--window=6d",
    "--json",
  );
  const { version, before, comparisons } = JSON.parse(ended.stdout) as {
    version: number;
    before: string;
    comparisons: { after: string; changes: { percent: number }[] }[];
  };
  expect([version, before, comparisons[0]?.after]).toEqual([
    1,
    "kept.json",
    "events@2026-01-10",
  ]);
  expect(comparisons[0]?.changes.map(({ percent }) => percent)).toContain(0);
});

const DAYS = {
  from: "2026-01-05T00:00:00.000Z",
  to: "2026-01-11T00:00:00.000Z",
};

test("windows with different ends are both measured to the nearer end, so the same delivery shows no change", async () => {
  const ended = await compare(
    "events@2026-01-10",
    "unpublished@2026-01-10",
    "--window=6d",
    "--json",
  );
  const { comparisons } = JSON.parse(ended.stdout) as {
    comparisons: {
      sides: unknown;
      changes: { of: string; percent: number }[];
    }[];
  };
  const side = { window: { ...DAYS, days: 6 }, until: "merged" };
  expect(comparisons[0]?.sides).toEqual({ before: side, after: side });
  const { changes = [] } = comparisons[0] ?? {};
  expect(changes.map(({ percent }) => percent)).toEqual(changes.map(() => 0));
  expect(changes.map(({ of }) => of)).not.toContain("publish");
});

/** Writes a stored report. */
async function keep(name: string, ...args: readonly string[]): Promise<void> {
  const { stdout } = await metricsIn(temp, [
    ...["report", "--as-of=2026-01-10", "--window=6d", "--json"],
    ...args,
  ]);
  await writeFile(join(temp, name), stdout);
}

test("a stored report has only one end, and a comparison with another end is refused", async () => {
  await keep("published.json", "--store=events");
  await keep("merged.json", "--store=events", "--until=merged");
  await keep("narrow.json", "--store=events", "--team=@acme/team-1");
  const window = ["--window=6d"];
  const nearer = await compare("merged.json", "events@2026-01-10", ...window);
  expect(nearer.exitCode).toBe(0);
  expect(nearer.stdout).toContain(
    "before: 6 days to 2026-01-11 00:00 UTC, commit to merge\nafter: 6 days to 2026-01-11 00:00 UTC, commit to merge\n",
  );
  const refused = async (...args: readonly string[]) => {
    const { exitCode, stdout, stderr } = await compare(...args, ...window);
    expect([exitCode, stdout]).toEqual([2, ""]);
    return stderr;
  };
  expect(await refused("published.json", "unpublished@2026-01-10")).toBe(
    "ci-dispatch: published.json ends with the publication, and the events next to it with the merge: P90s of different ends cannot be compared\nhint: create the report again with `metrics report --json --until merged`, or name the folder of its events\n",
  );
  expect(
    await refused("merged.json", "events@2026-01-10", "--until=published"),
  ).toBe(
    "ci-dispatch: merged.json ends with the merge, and the requested end is the publication\nhint: --until merged compares both up to the merge, or create the report again with --until published\n",
  );
  expect(await refused("published.json", "merged.json")).toMatch(
    /published.json ends with the publication/,
  );
  expect(await refused("narrow.json", "events@2026-01-10")).toBe(
    "ci-dispatch: narrow.json is of @acme/team-1, and events@2026-01-10 of all pull requests\nhint: give both the same --package and --team\n",
  );
  // The model sums stages, and a nearer end has fewer of them.
  expect(
    await refused("published.json", "unpublished@2026-01-10", "--stages"),
  ).toMatch(/published.json ends with the publication/);
});

test("the model of two windows excludes human stages", async () => {
  const { stdout } = await compare(
    "events@2026-01-10",
    "events@2026-01-10",
    "--window=6d",
    "--stages",
  );
  expect(stdout).not.toMatch(/draft|review|approved/);
  expect(stdout).toMatch(/^build +[\d.]+ min$/m);
  expect(stdout).toMatch(/ = 0\.0 %\n$/);
});

test.each<[string[], RegExp]>([
  [["2026-01-07"], /<after> is missing/],
  [
    ["gone", "events"],
    /gone isn't a date, and there is no such file or folder/,
  ],
  [["events@2026-02-30", "events"], /events@2026-02-30 isn't a date/],
  [
    ["events/a.ndjson", "events"],
    /neither a report nor a stage table of version 1: version is not 1/,
  ],
  [
    ["events@2025-01-01", "events", "--stages"],
    /events@2025-01-01 has too few pull requests for stage P90s/,
  ],
])("%j is wrong usage", async (args, words) => {
  const { exitCode, stdout, stderr } = await compare(...args);
  expect(stderr).toMatch(words);
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
});
