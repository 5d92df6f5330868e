import { afterAll, expect, test } from "@jest/globals";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { seededRandom } from "@skein/delivery-metrics";
import { json, suiteDir } from "@skein/testing";
import { dispatchIn } from "../cli.test.kit.js";

const API = "https://api.github.com/repos/acme/old";
const START = Date.UTC(2026, 0, 5);
const sha = (number: number) => number.toString(16).padStart(40, "0");
const iso = (at: number) => new Date(at).toISOString().replace(".000Z", "Z");

const temp = await suiteDir(afterAll);

/**
 * Generates rows as GitHub's REST API returns them: 60 pull requests, some open, some closed, all with a run of two
 * jobs.
 */
function recorded() {
  const random = seededRandom(11);
  const pulls: object[] = [];
  const runs: object[] = [];
  const jobs: object[] = [];
  for (let number = 1; number <= 60; number++) {
    const created = START + Math.floor(random() * 20 * 86_400) * 1000;
    const ended = created + Math.floor(600 + random() * 400_000) * 1000;
    const isMerged = number % 5 !== 0;
    const isClosed = isMerged || number % 10 === 0;
    pulls.push({
      url: `${API}/pulls/${number}`,
      number,
      title: `Change ${number}`,
      draft: false,
      user: { login: "ann", type: "User" },
      created_at: iso(created),
      closed_at: isClosed ? iso(ended) : null,
      merged_at: isMerged ? iso(ended) : null,
      merge_commit_sha: sha(1000 + number),
      base: { ref: "main", repo: { full_name: "acme/old" } },
      head: {
        ref: `b${number}`,
        sha: sha(number),
        repo: { full_name: "acme/old" },
      },
    });
    const run = 500 + number;
    runs.push({
      id: run,
      url: `${API}/actions/runs/${run}`,
      name: "CI",
      path: ".github/workflows/ci.yml",
      event: "pull_request",
      head_branch: `b${number}`,
      head_sha: sha(number),
      run_number: number,
      workflow_id: 1,
      run_attempt: 1,
      status: "completed",
      conclusion: "success",
      created_at: iso(created + 1000),
      run_started_at: iso(created + 1000),
      updated_at: iso(ended + 86_400_000),
    });
    for (const name of ["lint", "test"]) {
      const started = created + 2000 + Math.floor(random() * 60) * 1000;
      jobs.push({
        url: `${API}/actions/jobs/${run * 10}`,
        run_id: run,
        run_attempt: 1,
        name,
        conclusion: "success",
        started_at: iso(started),
        completed_at: iso(started + Math.floor(30 + random() * 500) * 1000),
      });
    }
  }
  return { pulls, runs, jobs };
}

test("a report of recorded rows has the numbers that were counted by hand", async () => {
  const { pulls, runs, jobs } = recorded();
  const dir = join(temp, "rows");
  await mkdir(dir);
  const quote = (value: unknown) =>
    `"${JSON.stringify(value).replaceAll('"', '""')}"`;
  await writeFile(
    join(dir, "pulls.csv"),
    [
      "id,data,url",
      // Three rows are recorded a second time with another title.
      ...[
        ...pulls,
        ...pulls.slice(0, 3).map((row) => ({ ...row, title: "Renamed" })),
      ].map((row, index) => `${index},${quote(row)},${API}/pulls`),
    ].join("\n"),
  );
  await writeFile(
    join(dir, "runs.json"),
    json({ total_count: runs.length, workflow_runs: runs }),
  );
  await writeFile(
    join(dir, "jobs.ndjson.gz"),
    gzipSync(jobs.map((row) => `${JSON.stringify(row)}\n`).join("")),
  );
  await writeFile(join(dir, "README.md"), "no rows");
  const imported = await dispatchIn(temp, "metrics import rows --to=store");
  expect(imported).toEqual({
    exitCode: 0,
    stderr: "",
    stdout:
      "120 job rows\n63 pull rows\n60 run rows\n234 events, 234 of them new\n",
  });
  const again = await dispatchIn(temp, "metrics import rows --to=store");
  expect(again.stdout).toContain("234 events, 0 of them new\n");

  const reported = await dispatchIn(
    temp,
    "metrics report --store=store --window=42d --as-of=2026-02-10 --json",
  );
  const { measures, builds } = JSON.parse(reported.stdout) as {
    measures: { gross: DrawnPull };
    builds: DrawnPull;
  };
  const rows = pulls as { created_at: string; merged_at: string | null }[];
  const leadTimes = rows.flatMap(({ created_at, merged_at }) =>
    merged_at === null ? [] : [Date.parse(merged_at) - Date.parse(created_at)],
  );
  expect(p90(measures.gross)).toEqual(byHand(leadTimes));
  const all = jobs as { run_id: number; completed_at: string }[];
  const spans = (runs as { id: number; created_at: string }[]).map(
    ({ id, created_at }) => {
      const ends = all
        .filter(({ run_id }) => run_id === id)
        .map(({ completed_at }) => Date.parse(completed_at));
      return Math.max(...ends) - Date.parse(created_at);
    },
  );
  const merged = spans.filter((_, index) => rows[index]?.merged_at !== null);
  expect(p90(builds)).toEqual(byHand(merged));
});

interface DrawnPull {
  readonly n: number;
  readonly values: { readonly p90: { readonly ms: number } };
}
const p90 = ({ n, values }: DrawnPull) => ({ n, ms: values.p90.ms });

/** Computes the P90 by nearest rank: the smallest value that at least 90 % of all values don't exceed. */
function byHand(values: readonly number[]) {
  const ms = Math.min(
    ...values.filter(
      (value) =>
        values.filter((other) => other <= value).length >= 0.9 * values.length,
    ),
  );
  return { n: values.length, ms };
}

test.each([
  ["nothing.json", "cannot be read: there is no such file"],
  ["broken.json", "this isn't JSON"],
  ["other.csv", "the column `data`, with a row as JSON, is missing"],
  ["broken.ndjson.gz", "the archive is broken"],
  ["foreign.json", "these files contain no rows of GitHub"],
  ["whose.json", "some rows do not name their repository"],
])("errors: %s", async (name, words) => {
  const files: Record<string, string | Buffer> = {
    "broken.json": "{",
    "other.csv": "a,b\n1,2\n",
    "broken.ndjson.gz": gzipSync("{}\n").subarray(0, 12),
    "foreign.json": '[{"a":1}]',
    "whose.json": json([
      {
        activity_type: "push",
        timestamp: "2026-01-05T00:00:00Z",
        ref: "refs/heads/a",
        after: sha(1),
      },
    ]),
  };
  const content = files[name];
  if (content !== undefined) await writeFile(join(temp, name), content);
  const ended = await dispatchIn(temp, [
    "metrics",
    "import",
    name,
    "--to=wrong",
  ]);
  expect(ended.stderr).toContain(words);
  expect(ended.exitCode).toBe(2);
});
