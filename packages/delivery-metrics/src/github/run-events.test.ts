import { expect, test } from "@jest/globals";
import { readActivity } from "./activity-events.js";
import {
  publishedByRuns,
  readDeployment,
  readRelease,
  readTag,
} from "./publish-events.js";
import { taggedPackages } from "./publish-rule.js";
import { readJob, readRun, readSuite } from "./read-runs.js";
import { runCompleted, runStarted } from "./run-events.js";
import { Row } from "./row.js";

const sha = (digit: string) => digit.repeat(40);
const ms = (minutes: number) => Date.UTC(2026, 0, 5, 12, minutes);
const at = (minutes: number) => new Date(ms(minutes)).toISOString();
const row = (value: object) => {
  const read = Row.of(value);
  if (!read) throw new Error("no row");
  return read;
};

const RUN = {
  id: 15_000_000_001,
  name: "CI",
  path: ".github/workflows/ci.yml@refs/heads/main",
  event: "pull_request",
  head_branch: "faster",
  head_sha: sha("a"),
  status: "completed",
  conclusion: "success",
  run_attempt: 2,
  created_at: at(0),
  run_started_at: at(20),
  // A log was read an hour later.
  updated_at: at(95),
  pull_requests: [{ number: 12 }],
  check_suite_node_id: "CS_1",
};
const JOB = {
  id: 1,
  run_id: RUN.id,
  name: "test",
  run_attempt: 2,
  status: "completed",
  conclusion: "success",
  created_at: at(20),
  started_at: at(21),
  completed_at: at(30),
};
const facts = (more: object = {}) => {
  const read = readRun(row({ ...RUN, ...more }));
  if (!read) throw new Error("no run");
  return read;
};
const jobs = (...all: object[]) =>
  all.flatMap((each) => readJob(row({ ...JOB, ...each })) ?? []);

test("an attempt ends with the last job that it ran itself, not with updated_at or a job of an earlier attempt", () => {
  const inherited = {
    name: "lint",
    started_at: at(1),
    completed_at: at(5),
    conclusion: "failure",
  };
  const first = { run_attempt: 1, completed_at: at(9), conclusion: "failure" };
  const event = runCompleted("o/n", facts(), jobs({}, inherited, first));
  expect(event).toEqual({
    kind: "run-completed",
    at: ms(30),
    repository: "o/n",
    run: RUN.id,
    attempt: 2,
    started: ms(20),
    conclusion: "success",
    jobs: [
      {
        name: "lint",
        created: ms(20),
        started: ms(1),
        completed: ms(5),
        conclusion: "failure",
      },
      {
        name: "test",
        created: ms(20),
        started: ms(21),
        completed: ms(30),
        conclusion: "success",
      },
    ],
  });
});

test("GitHub's list of a run's pull requests isn't stored, because GitHub drops closed ones", () => {
  expect(runStarted("o/n", facts())).toEqual({
    kind: "run-started",
    at: ms(20),
    repository: "o/n",
    run: RUN.id,
    attempt: 2,
    workflow: "CI",
    path: ".github/workflows/ci.yml",
    event: "pull_request",
    branch: "faster",
    sha: sha("a"),
    pulls: [],
    created: ms(0),
  });
});

test.each([
  ["the run is still in progress", { conclusion: null }, {}],
  ["an old recording has an empty conclusion", { conclusion: "" }, {}],
  [
    "a job is still in progress, although the run has ended",
    {},
    { conclusion: null },
  ],
])("no end: %s", (_, run, job) => {
  expect(runCompleted("o/n", facts(run), jobs(job))).toBeUndefined();
});

test("a run without jobs ends when it starts; new conclusions are unknown, and case doesn't matter", () => {
  expect(
    runCompleted(
      "o/n",
      facts({ run_attempt: 1, conclusion: "STARTUP_FAILURE" }),
      [],
    ),
  ).toMatchObject({ at: ms(0), conclusion: "startup_failure", jobs: [] });
  expect(
    runCompleted("o/n", facts({ conclusion: "exploded" }), jobs({})),
  ).toMatchObject({ conclusion: "unknown" });
});

const CHECK = {
  name: "test",
  conclusion: "SUCCESS",
  startedAt: at(1),
  completedAt: at(9),
  detailsUrl: `https://github.com/o/n/actions/runs/${RUN.id}/job/77`,
};
const suite = (nodes: object[], hasNextPage = false) =>
  readSuite(row({ checkRuns: { pageInfo: { hasNextPage }, nodes } }), RUN.id);

test("only the run's own jobs count of a suite's checks, each of them once", () => {
  const others = [
    { ...CHECK, detailsUrl: "https://github.com/o/n/runs/5" },
    { ...CHECK, detailsUrl: "https://github.com/o/n/actions/runs/1/job/8" },
    { ...CHECK, name: "a check that points at the job" },
    { ...CHECK, detailsUrl: null },
  ];
  expect(suite([CHECK, ...others])).toEqual([
    {
      attempt: 1,
      going: false,
      job: {
        name: "test",
        created: null,
        started: ms(1),
        completed: ms(9),
        conclusion: "success",
      },
    },
  ]);
});

test("an incomplete suite isn't read", () => {
  expect(suite([CHECK], true)).toBeUndefined();
  expect(
    suite([{ ...CHECK, detailsUrl: "https://ci.example.com" }]),
  ).toBeUndefined();
  expect(readSuite(undefined, RUN.id)).toBeUndefined();
});

test("only pushes to branches are read from the activity", () => {
  const push = {
    timestamp: at(0),
    after: sha("a"),
    ref: "refs/heads/a/b",
    activity_type: "push",
  };
  const reported = (more: object) =>
    readActivity("o/n", row({ ...push, ...more }));
  expect(reported({})).toEqual({
    kind: "branch-pushed",
    at: ms(0),
    repository: "o/n",
    branch: "a/b",
    sha: sha("a"),
    forced: false,
  });
  expect(reported({ activity_type: "force_push" })).toMatchObject({
    forced: true,
  });
  expect(reported({ activity_type: "branch_creation" })).toMatchObject({
    forced: false,
  });
  for (const other of [
    { activity_type: "pr_merge" },
    { activity_type: "branch_deletion" },
    { ref: "refs/tags/v1" },
    { after: "0000" },
    { timestamp: "yesterday" },
  ])
    expect(reported(other)).toBeUndefined();
});

test.each([
  [undefined, "anything", null],
  ["v{version}", "v1.2.3", null],
  ["v{version}", "w1.2.3", undefined],
  [
    "{package}@{version}",
    "@acme/ui@1.2.3-rc.1",
    [{ name: "@acme/ui", version: "1.2.3-rc.1" }],
  ],
  [
    "{package}-v{version}",
    "core-utils-v10.0.0",
    [{ name: "core-utils", version: "10.0.0" }],
  ],
  ["{package}@{version}", "v1.2.3", undefined],
  ["release.{version}", "releasex1", undefined],
])("a tag of the form %s: %s", (form, tag, packages) => {
  expect(taggedPackages({ from: "tag", tag: form }, tag)).toEqual(packages);
});

test("the rule names the package of a tag that doesn't", () => {
  const rule = { from: "release", package: "@acme/ui" } as const;
  expect(taggedPackages({ ...rule, tag: "v{version}" }, "v1.2.3")).toEqual([
    { name: "@acme/ui", version: "1.2.3" },
  ]);
  expect(taggedPackages({ ...rule, tag: undefined }, "spring")).toEqual([
    { name: "@acme/ui", version: null },
  ]);
});

test("releases of both APIs are read, except drafts", () => {
  const rules = [{ from: "release", tag: "{package}@{version}" }] as const;
  const graphql = {
    tagName: "ui@1.0.0",
    publishedAt: at(5),
    tagCommit: { oid: sha("a") },
  };
  const published = {
    kind: "published",
    at: ms(5),
    repository: "o/n",
    channel: "release",
    key: "ui@1.0.0",
    sha: sha("a"),
    environment: null,
    started: null,
    packages: [{ name: "ui", version: "1.0.0" }],
    pulls: null,
  };
  expect(readRelease("o/n", row(graphql), rules)).toEqual([published]);
  const rest = {
    tag_name: "ui@1.0.0",
    published_at: at(5),
    target_commitish: "main",
  };
  expect(readRelease("o/n", row(rest), rules)).toEqual([
    { ...published, sha: null },
  ]);
  expect(readRelease("o/n", row({ ...rest, draft: true }), rules)).toEqual([]);
  expect(
    readRelease("o/n", row({ ...rest, tag_name: "nightly" }), rules),
  ).toEqual([]);
});

test("an annotated tag has its author's time, any other tag that of its commit", () => {
  const rules = [{ from: "tag", tag: "v{version}" }] as const;
  const commit = { oid: sha("a"), committedDate: at(1) };
  expect(
    readTag("o/n", row({ name: "v1", target: commit }), rules),
  ).toMatchObject([
    { channel: "tag", key: "v1", at: ms(1), sha: sha("a"), packages: null },
  ]);
  const tag = { oid: sha("f"), tagger: { date: at(9) }, target: commit };
  expect(readTag("o/n", row({ name: "v1", target: tag }), rules)).toMatchObject(
    [{ at: ms(9), sha: sha("a") }],
  );
});

test("a deployment counts from its first success in the wanted environment", () => {
  const rules = [{ from: "deployment", environment: "production" }] as const;
  const deployment = {
    id: 9,
    environment: "production",
    sha: sha("a"),
    created_at: at(0),
  };
  const statuses = [
    { state: "IN_PROGRESS", createdAt: at(1) },
    { state: "SUCCESS", createdAt: at(8) },
    { state: "success", created_at: at(7) },
    { state: "INACTIVE", createdAt: at(60) },
  ].map(row);
  expect(readDeployment("o/n", row(deployment), statuses, rules)).toMatchObject(
    [
      {
        channel: "deployment",
        key: "9",
        at: ms(7),
        started: ms(0),
        environment: "production",
      },
    ],
  );
  expect(
    readDeployment("o/n", row(deployment), statuses.slice(0, 1), rules),
  ).toEqual([]);
  const staging = row({ ...deployment, environment: "staging" });
  expect(readDeployment("o/n", staging, statuses, rules)).toEqual([]);
});

test("a workflow publishes with the first attempt that succeeded, or whose job succeeded", () => {
  const attempt = (number: number, conclusion: string, end: number) => {
    const run = facts({
      run_attempt: number,
      run_started_at: at(end - 5),
      conclusion,
      path: ".github/workflows/release.yml",
    });
    const job = {
      run_attempt: number,
      name: "npm",
      completed_at: at(end),
      conclusion,
    };
    const completed = runCompleted("o/n", run, jobs(job));
    return completed ? [runStarted("o/n", run), completed] : [];
  };
  const events = [
    ...attempt(3, "success", 50),
    ...attempt(2, "success", 40),
    ...attempt(1, "failure", 10),
  ];
  const whole = {
    from: "workflow",
    workflow: "release.yml",
    job: undefined,
  } as const;
  expect(publishedByRuns(events, () => [whole])).toMatchObject([
    { channel: "workflow", key: String(RUN.id), at: ms(40), started: ms(35) },
  ]);
  expect(
    publishedByRuns(events, () => [{ ...whole, job: "npm" }]),
  ).toMatchObject([{ at: ms(40) }]);
  expect(publishedByRuns(events, () => [{ ...whole, job: "other" }])).toEqual(
    [],
  );
  expect(
    publishedByRuns(events, () => [{ ...whole, workflow: "ci.yml" }]),
  ).toEqual([]);
});
