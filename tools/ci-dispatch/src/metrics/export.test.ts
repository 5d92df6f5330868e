import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { formatEvent, linkEvents, mergeEvents } from "@skein/delivery-metrics";
import { syntheticWeeks } from "@skein/delivery-metrics/synthetic";
import type { DeliveryEvent } from "@skein/delivery-metrics";
import { suiteDir } from "@skein/testing";
import pg from "pg";
import { dispatchIn } from "../cli.test.kit.js";
import { startPostgres } from "./export/postgres.test.kit.js";
import { makeTables } from "./export/tables.js";

const AT = Date.UTC(2026, 0, 5, 12);
const odd: readonly DeliveryEvent[] = [
  {
    kind: "pull-opened",
    at: AT,
    repository: "acme/odd",
    pull: 1,
    author: "o'brien",
    bot: false,
    branch: `a"; DROP TABLE pulls; --`,
    base: "main",
    draft: false,
    fork: true,
    title: null,
  },
  { kind: "pull-closed", at: AT + 500, repository: "acme/odd", pull: 1 },
  {
    kind: "published",
    at: AT,
    repository: "acme/odd",
    channel: "release",
    key: "日本@1",
    sha: null,
    environment: null,
    started: null,
    packages: [
      { name: "日本", version: "1" },
      { name: "ü", version: null },
    ],
    pulls: null,
  },
];

const temp = await suiteDir(afterAll);
let events: readonly DeliveryEvent[];
beforeAll(async () => {
  events = [
    ...syntheticWeeks({ seed: 1, days: 2, pullsPerDay: 60 }).events,
    ...odd,
  ];
  await mkdir(join(temp, "store"));
  await writeFile(
    join(temp, "store", "e.ndjson"),
    events.map(formatEvent).join(""),
  );
});

const exportTo = (target: string) =>
  dispatchIn(temp, ["metrics", "export", "--store=store", `--to=${target}`]);

/** Computes the answers that every database must give, without a database. */
function truth() {
  const linked = linkEvents(events);
  const jobs = linked.flatMap((event) =>
    event.kind === "run-completed" ? event.jobs : [],
  );
  const merged = linked.filter(({ kind }) => kind === "pull-merged");
  const busy = jobs.reduce(
    (sum, { started, completed }) =>
      started === null || completed === null ? sum : sum + completed - started,
    0,
  );
  return {
    merged: merged.length,
    jobs: jobs.length,
    failed: jobs.filter(({ conclusion }) => conclusion === "failure").length,
    busySeconds: Math.round(busy / 1000),
    forks: linked.filter((event) => event.kind === "pull-opened" && event.fork)
      .length,
    lastMerge: new Date(Math.max(...merged.map(({ at }) => at))).toISOString(),
  };
}

/** Returns the same questions in SQL. */
const questions = (table: (name: string) => string) => `
  SELECT (SELECT count(*) FROM ${table("pulls")} WHERE merged_at IS NOT NULL) AS merged,
    (SELECT count(*) FROM ${table("jobs")}) AS jobs,
    (SELECT count(*) FROM ${table("jobs")} WHERE conclusion = 'failure') AS failed,
    (SELECT round(sum(extract(epoch FROM completed_at - started_at))) FROM ${table("jobs")}) AS busy,
    (SELECT count(*) FROM ${table("pulls")} WHERE fork) AS forks,
    (SELECT extract(epoch FROM max(merged_at)) FROM ${table("pulls")}) AS last`;

function reported(row: Readonly<Record<string, unknown>> | undefined) {
  return {
    merged: Number(row?.["merged"]),
    jobs: Number(row?.["jobs"]),
    failed: Number(row?.["failed"]),
    busySeconds: Number(row?.["busy"]),
    forks: Number(row?.["forks"]),
    lastMerge: new Date(Number(row?.["last"]) * 1000).toISOString(),
  };
}

async function askDuckdb(file: string, sql: string) {
  const instance = await DuckDBInstance.create(file);
  const connection = await instance.connect();
  try {
    const reader = await connection.runAndReadAll(sql);
    return reader.getRowObjects();
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

test("the file has the newest version of each event, in order of time, and is replaced as a whole", async () => {
  for (const turn of [1, 2]) {
    expect(await exportTo("events.ndjson")).toEqual({
      exitCode: 0,
      stdout: `${events.length.toLocaleString("en-US")} events\n`,
      stderr: "",
    });
    const text = await readFile(join(temp, "events.ndjson"), "utf8");
    expect([turn, text]).toEqual([
      turn,
      mergeEvents(events).map(formatEvent).join(""),
    ]);
  }
});

test("the folder of a file is created, and a failure to create it is reported", async () => {
  expect(await exportTo("new/folder/e.ndjson")).toMatchObject({ exitCode: 0 });
  expect(await readdir(join(temp, "new/folder"))).toEqual(["e.ndjson"]);
  const { exitCode, stdout, stderr } = await exportTo(
    "store/e.ndjson/d.duckdb",
  );
  expect({ exitCode, stdout, stderr: stderr.replaceAll(temp, "") }).toEqual({
    exitCode: 2,
    stdout: "",
    stderr: `ci-dispatch: store/e.ndjson/d.duckdb: cannot be written: EEXIST: file already exists, mkdir '/store/e.ndjson'
hint: name a file with --to, in a folder that can be created
`,
  });
});

test("a DuckDB file has the events' data, and is replaced as a whole", async () => {
  const ended = await exportTo("d.duckdb");
  expect(ended.stderr).toBe("");
  expect(ended.stdout).toBe(
    makeTables(events)
      .map(
        ({ name, rows }) =>
          `${name} ${rows.length.toLocaleString("en-US")} row${rows.length === 1 ? "" : "s"}\n`,
      )
      .join(""),
  );
  expect((await exportTo("d.duckdb")).exitCode).toBe(0);
  const file = join(temp, "d.duckdb");
  expect(
    reported(
      (
        await askDuckdb(
          file,
          questions((name) => name),
        )
      )[0],
    ),
  ).toEqual(truth());
  expect(
    await askDuckdb(
      file,
      "SELECT author, branch, title, epoch_ms(closed_at) AS closed FROM pulls WHERE repository = 'acme/odd'",
    ),
  ).toEqual([
    {
      author: "o'brien",
      branch: `a"; DROP TABLE pulls; --`,
      title: null,
      closed: BigInt(AT + 500),
    },
  ]);
});

test("Parquet: one file for each table, and no others", async () => {
  await mkdir(join(temp, "it's"));
  expect((await exportTo("it's/d.parquet")).exitCode).toBe(0);
  const names = makeTables(events).map(({ name }) => `d.${name}.parquet`);
  expect(await readdir(join(temp, "it's"))).toEqual(names.toSorted());
  const path = (name: string) =>
    `'${join(temp, "it''s", `d.${name}.parquet`)}'`;
  expect(reported((await askDuckdb(":memory:", questions(path)))[0])).toEqual(
    truth(),
  );
});

test("PostgreSQL has the events' data; a second export replaces the first, and a failed one changes nothing", async () => {
  await using server = await startPostgres();
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  try {
    expect(await exportTo(server.url)).toMatchObject({
      exitCode: 0,
      stderr: "",
    });
    expect((await exportTo(server.url)).exitCode).toBe(0);
    const ask = async () =>
      reported(
        (
          await client.query<Record<string, unknown>>(
            questions((name) => `delivery.${name}`),
          )
        ).rows[0],
      );
    expect(await ask()).toEqual(truth());
    const { rows } = await client.query(
      `SELECT channel, key, package, version FROM delivery.publications WHERE repository = 'acme/odd' ORDER BY package`,
    );
    expect(rows).toEqual([
      { channel: "release", key: "日本@1", package: "ü", version: null },
      { channel: "release", key: "日本@1", package: "日本", version: "1" },
    ]);
    // The export fails rather than drop a table that a user's view depends on.
    await client.query(
      "CREATE VIEW mine AS SELECT count(*) FROM delivery.jobs",
    );
    const refused = await exportTo(server.url);
    expect(refused.stderr).toContain(
      "PostgreSQL: cannot drop table delivery.jobs",
    );
    expect(refused.exitCode).toBe(3);
    expect(await ask()).toEqual(truth());
  } finally {
    await client.end();
  }
});

test.each([
  ["report.xlsx", 2, "report.xlsx is not a supported target"],
  [
    "postgres://writer:hunter2@127.0.0.1:1/db",
    3,
    "PostgreSQL: connect ECONNREFUSED 127.0.0.1:1",
  ],
  ["postgres://:::", 2, "the address of the database cannot be read"],
])("errors: %s", async (target, code, words) => {
  const ended = await exportTo(target);
  expect(ended.stderr).toContain(words);
  expect(ended.stderr).not.toContain("hunter2");
  expect(ended.exitCode).toBe(code);
});

const documented = new URL("../../../../docs/metrics.md", import.meta.url);

test("docs/metrics.md names every table and every column", async () => {
  const page = await readFile(documented, "utf8");
  const rows = [...page.matchAll(/^\| `(\w+)` +\| (.*?) \|$/gm)].map(
    ([, table, words = ""]) => [
      table,
      [...words.matchAll(/`(\w+)`/g)].map(([, name]) => name),
    ],
  );
  expect(Object.fromEntries(rows)).toEqual(
    Object.fromEntries(
      makeTables([]).map(({ name, columns }) => [
        name,
        columns.map(([column]) => column),
      ]),
    ),
  );
});
