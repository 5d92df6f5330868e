import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { buildHistory, startFakeGitHub, suiteDir } from "@skein/testing";
import { openRows, type GitHubOptions, type Usage } from "./index.js";

const octo = { owner: "octo", name: "app" };
const AT = Date.UTC(2026, 0, 5);
const QUERY = `query ($ids: [ID!]!) {
  nodes(ids: $ids) { ... on CheckSuite { checkRuns(first: 100) { nodes { name } } } }
}`;

const dir = await suiteDir(afterAll);
beforeAll(() => {
  buildHistory(dir, [{ files: { a: "1" } }]);
});

/** Opens a repository with three pushes and a run, and a client with short seconds. */
async function open(options: GitHubOptions = {}) {
  const fake = await startFakeGitHub();
  const { delivery } = fake.addRepository("octo/app", { dir: dir });
  for (const at of [AT, AT + 1000, AT + 2000])
    delivery.pushes.push({
      at,
      ref: "refs/heads/a",
      after: "a".repeat(40),
      type: "push",
    });
  const job = { id: 9, name: "test", createdAt: AT, startedAt: AT };
  delivery.runs.push({
    id: 7,
    path: ".github/workflows/ci.yml",
    event: "push",
    branch: "main",
    sha: "b".repeat(40),
    attempts: [
      {
        startedAt: AT,
        conclusion: "success",
        jobs: [{ ...job, completedAt: AT + 5000, conclusion: "success" }],
      },
    ],
  });
  const usage: Usage[] = [];
  const rows = openRows({
    baseUrl: fake.url,
    second: 1,
    observe: (each) => usage.push(each),
    ...options,
  });
  return {
    fake,
    rows,
    usage,
    [Symbol.asyncDispose]: () => fake[Symbol.asyncDispose](),
  };
}

test("a list continues at its link; an unchanged list costs no request", async () => {
  await using world = await open();
  const { rows, usage } = world;
  const first = await rows.get(octo, "/activity", { per_page: 2 });
  if (first.kind !== "new") throw new Error("nothing came");
  expect(first.body).toHaveLength(2);
  expect(first.next).toEqual({ per_page: "2", after: "c2" });
  const second = await rows.get(octo, "/activity", first.next ?? {});
  expect(second).toMatchObject({ kind: "new", next: undefined });
  expect(
    await rows.get(octo, "/activity", { per_page: 2 }, first.etag),
  ).toEqual({ kind: "unchanged" });
  expect(usage.map(({ cost, remaining }) => [cost, remaining])).toEqual([
    [1, 4999],
    [1, 4998],
    [0, 4998],
  ]);
});

test("a query about deleted objects returns the others", async () => {
  await using world = await open();
  const { rows } = world;
  expect(await rows.graphql(QUERY, { ids: ["CS_7", "CS_8"] })).toEqual({
    nodes: [
      { checkRuns: { nodes: [{ name: "test" }, { name: "coverage" }] } },
      null,
    ],
  });
});

test("queries are retried after a failure, without pauses between queries", async () => {
  await using world = await open();
  const { fake, rows } = world;
  for (const fault of [
    { kind: "status", status: 502 },
    { kind: "reset" },
    { kind: "secondary-limit", retryAfter: 2 },
  ] as const)
    fake.fail({ operation: "POST /graphql", fault });
  await rows.graphql(QUERY, { ids: ["CS_7"] });
  expect(fake.count("POST /graphql")).toBe(4);
});

test("a missing list and an exceeded rate limit are failures", async () => {
  await using world = await open({ longestWait: 0 });
  const { fake, rows } = world;
  await expect(
    rows.get({ owner: "octo", name: "gone" }, "/activity", {}),
  ).rejects.toMatchObject({ kind: "not-found" });
  await expect(
    rows.graphql(
      'query { repository(owner: "octo", name: "gone") { pullRequests(first: 1) { nodes { number } } } }',
      {},
    ),
  ).resolves.toEqual({ repository: null });
  fake.rateLimit.remaining = 0;
  await expect(rows.get(octo, "/activity", {})).rejects.toMatchObject({
    kind: "rate-limit",
    data: { resetAt: fake.rateLimit.reset },
  });
});
