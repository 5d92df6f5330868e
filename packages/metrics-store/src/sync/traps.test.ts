import { expect, test } from "@jest/globals";
import { linkEvents } from "@skein/delivery-metrics";
import type { RecordedJob, RecordedRun } from "@skein/testing";
import { DAY, syncWorld } from "./sync.test.kit.js";

const START = Date.UTC(2026, 0, 5, 7);
const MINUTE = 60_000;
const RUNS = "GET /repos/{owner}/{repo}/actions/runs";
const sha = (digit: string) => digit.repeat(40);

function job(
  id: number,
  at: number,
  more: Partial<RecordedJob> = {},
): RecordedJob {
  return {
    id,
    name: "test",
    createdAt: at,
    startedAt: at + MINUTE,
    completedAt: at + 5 * MINUTE,
    conclusion: "success",
    ...more,
  };
}
function run(
  id: number,
  at: number,
  more: Partial<RecordedRun> = {},
): RecordedRun {
  return {
    id,
    path: ".github/workflows/ci.yml",
    event: "pull_request",
    branch: "feature",
    sha: sha("a"),
    attempts: [
      { startedAt: at, conclusion: "success", jobs: [job(id * 10, at)] },
    ],
    ...more,
  };
}

test("a day with more runs than GitHub lists is read in parts, and none is missing", async () => {
  await using world = await syncWorld();
  for (let index = 0; index < 1050; index++)
    world.delivery.runs.push(run(index + 1, START + index * 20_000));
  const { notes } = await world.syncAt(START + DAY, "store", { since: START });
  const events = await world.events("store");
  const ended = events.filter(({ kind }) => kind === "run-completed");
  expect(ended).toHaveLength(1050);
  expect(notes).toEqual([]);
});

test("a truncated page is read again; if it stays truncated, sync reports it and reads it the next time", async () => {
  await using world = await syncWorld();
  for (let index = 0; index < 8; index++)
    world.delivery.runs.push(run(index + 1, START + index * MINUTE));
  const since = START;
  const runsIn = async () =>
    (await world.events("store")).filter(({ kind }) => kind === "run-started");
  const cut = { kind: "cut-list", keep: 5 } as const;
  world.fake.fail({ operation: RUNS, times: 3, fault: cut });
  const { notes } = await world.syncAt(START + 9 * DAY, "store", { since });
  expect(notes).toEqual([
    "GitHub lists 5 of 8 runs of 2026-01-05T00:00:00Z..2026-01-05T23:59:59Z; the next sync requests them again",
  ]);
  expect(await runsIn()).toHaveLength(5);
  world.fake.fail({ operation: RUNS, fault: cut });
  await world.syncAt(START + 9 * DAY, "store", { since });
  expect(await runsIn()).toHaveLength(8);
});

test("a run ends with its last job, not with updated_at, and an attempt with the last of its own jobs", async () => {
  await using world = await syncWorld();
  const first = job(1, START, { conclusion: "failure" });
  const lint = job(2, START, { name: "lint" });
  const again = job(3, START + 60 * MINUTE);
  world.delivery.runs.push(
    run(7, START, {
      attempts: [
        { startedAt: START, conclusion: "failure", jobs: [first, lint] },
        // GitHub lists the job that did not run again a second time, with another number.
        {
          startedAt: START + 60 * MINUTE,
          conclusion: "success",
          jobs: [again, { ...lint, id: 4 }],
        },
      ],
    }),
  );
  await world.syncAt(START + DAY, "store", { since: START });
  const ended = (await world.events("store")).flatMap((event) =>
    event.kind === "run-completed"
      ? [
          [
            event.attempt,
            (event.at - START) / MINUTE,
            event.conclusion,
            event.jobs.length,
          ],
        ]
      : [],
  );
  expect(ended).toEqual([
    [1, 5, "failure", 2],
    [2, 65, "success", 2],
  ]);
});

test("a deleted run has a start and no end, and sync stops asking for it", async () => {
  await using world = await syncWorld();
  world.delivery.runs.push(
    run(7, START, { deleted: true }),
    run(8, START),
    run(9, START, {
      deleted: true,
      attempts: [
        { startedAt: START, conclusion: "failure", jobs: [] },
        { startedAt: START + MINUTE, conclusion: "success", jobs: [] },
      ],
    }),
  );
  await world.syncAt(START + DAY, "store", { since: START });
  const kinds = (await world.events("store")).map((event) =>
    "run" in event ? `${event.kind} ${event.run}` : event.kind,
  );
  expect(kinds.toSorted()).toEqual([
    "run-completed 8",
    "run-started 7",
    "run-started 8",
    "run-started 9",
  ]);
  const before = world.requests();
  await world.syncAt(START + 9 * DAY, "store", { since: START });
  const asked = world.fake.requests.slice(before.all);
  expect(
    asked.filter(({ operation }) => operation.includes("{run_id}")),
  ).toEqual([]);
});

test("a pull request of a deleted fork, by a deleted user, is read", async () => {
  await using world = await syncWorld();
  world.delivery.pulls.push({
    number: 1,
    author: null,
    branch: "feature",
    fork: true,
    openedAt: START,
    head: sha("a"),
    merge: { at: START + 60 * MINUTE, sha: sha("b") },
  });
  // A branch with the same name in the repository itself, and a run for the fork's commit.
  world.delivery.pushes.push({
    at: START - MINUTE,
    ref: "refs/heads/feature",
    after: sha("c"),
    type: "push",
  });
  world.delivery.runs.push(run(7, START + MINUTE));
  await world.syncAt(START + DAY, "store", { since: START - DAY });
  const linked = linkEvents(await world.events("store"));
  expect(linked.find(({ kind }) => kind === "pull-opened")).toMatchObject({
    author: "ghost",
    fork: true,
  });
  expect(linked.filter(({ kind }) => kind === "pull-pushed")).toEqual([
    {
      kind: "pull-pushed",
      at: START + MINUTE,
      repository: "acme/app",
      pull: 1,
      sha: sha("a"),
      forced: false,
    },
  ]);
});

test("rate limits, failures and lost connections don't change the events", async () => {
  await using world = await syncWorld();
  for (let index = 0; index < 5; index++) {
    world.delivery.runs.push(run(index + 1, START + index * MINUTE));
    world.delivery.pulls.push({
      number: index + 1,
      branch: "feature",
      openedAt: START + index * MINUTE,
      head: sha("a"),
    });
  }
  const at = START + DAY;
  await world.syncAt(at, "smooth", { since: START });
  for (const fault of [
    { kind: "secondary-limit", retryAfter: 3 },
    { kind: "status", status: 502 },
    { kind: "too-many-requests", retryAfter: 1 },
    { kind: "reset" },
    { kind: "cut-body" },
  ] as const)
    for (const operation of ["POST /graphql", RUNS])
      world.fake.fail({ operation, fault });
  await world.syncAt(at, "rough", { since: START });
  expect(await world.lines("rough")).toEqual(await world.lines("smooth"));
});

test("a query that is too large for GitHub is repeated in smaller parts", async () => {
  await using world = await syncWorld();
  for (let index = 0; index < 5; index++)
    world.delivery.runs.push(run(index + 1, START + index * MINUTE));
  const fault = { kind: "status", status: 502 } as const;
  world.fake.fail({ operation: "POST /graphql", times: 8, fault });
  await world.syncAt(START + DAY, "store", { since: START });
  const ended = (await world.events("store")).filter(
    ({ kind }) => kind === "run-completed",
  );
  expect(ended).toHaveLength(5);
});

test("on a server without the activity API, sync reads the rest and reports it", async () => {
  await using world = await syncWorld();
  world.delivery.runs.push(run(1, START));
  const operation = "GET /repos/{owner}/{repo}/activity";
  world.fake.fail({ operation, fault: { kind: "status", status: 404 } });
  const { notes } = await world.syncAt(START + DAY, "store", { since: START });
  expect(notes).toEqual([
    expect.stringMatching(
      /^127\.0\.0\.1:\d+ does not provide the repository's activity \(404\): lead times begin when pull requests are opened$/,
    ),
  ]);
  expect(await world.events("store")).toHaveLength(2);
});

test("without remaining requests, sync stops before the next one, reports when there are more, and loses nothing", async () => {
  await using world = await syncWorld();
  for (let index = 0; index < 5; index++)
    world.delivery.runs.push(run(index + 1, START + index * DAY));
  world.fake.rateLimit.remaining = 6;
  const at = START + 9 * DAY;
  const { stopped } = await world.syncAt(at, "store", { since: START });
  expect(stopped).toMatchObject({
    why: "rate-limit",
    resetAt: world.fake.rateLimit.reset,
  });
  expect(world.fake.requests.map(({ status }) => status)).toEqual(
    Array.from({ length: 6 }, () => 200),
  );
  expect((await world.events("store")).length).toBeGreaterThan(0);
  world.fake.rateLimit.remaining = 5000;
  const before = world.requests().all;
  await world.syncAt(at, "store", { since: START });
  const resumed = world.requests().all - before;
  await world.syncAt(at, "whole", { since: START });
  const whole = world.requests().all - before - resumed;
  expect(await world.lines("store")).toEqual(await world.lines("whole"));
  expect(resumed).toBeLessThan(whole);
});
