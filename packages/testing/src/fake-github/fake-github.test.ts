import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { buildHistory, gitIn } from "../history.js";
import { suiteDir } from "../temp-dir.js";
import { isDescribed } from "./description.js";
import { startFakeGitHub, type FakeGitHubOptions } from "./fake-github.js";
import { routes } from "./resources/index.js";

const dir = await suiteDir(afterAll);
beforeAll(() => {
  const files = Array.from({ length: 5 }, (_, at) => [`f${at}`, `${at}`]);
  buildHistory(dir, [
    { files: { start: "" } },
    {
      branch: "feature",
      from: "main",
      files: Object.fromEntries(files) as Record<string, string>,
    },
  ]);
});

async function server(options: FakeGitHubOptions = {}) {
  const fake = await startFakeGitHub(options);
  const repository = fake.addRepository("octo/app", { dir: dir });
  fake.addPull(repository, { number: 1, base: "main", head: "feature" });
  return fake;
}

test("lists have pages that link to each other", async () => {
  await using fake = await server();
  const url = `${fake.url}/repos/octo/app/pulls/1/files?per_page=2`;
  const read = async (page: number) => {
    const response = await fetch(`${url}&page=${page}`);
    const files = (await response.json()) as { filename: string }[];
    const links = response.headers.get("link") ?? "";
    const pages = [...links.matchAll(/[?&]page=(\d+)>; rel="(\w+)"/g)];
    return {
      files: files.map(({ filename }) => filename),
      links: Object.fromEntries(
        pages.map(([, to, rel]) => [rel, to]),
      ) as object,
    };
  };
  expect([await read(1), await read(2), await read(3), await read(4)]).toEqual([
    { files: ["f0", "f1"], links: { next: "2", last: "3" } },
    {
      files: ["f2", "f3"],
      links: { prev: "1", next: "3", last: "3", first: "1" },
    },
    { files: ["f4"], links: { prev: "2", first: "1" } },
    { files: [], links: { prev: "3", first: "1" } },
  ]);
});

test("an unchanged answer is 304 and costs nothing; requests beyond the rate limit fail", async () => {
  await using fake = await server();
  fake.rateLimit.remaining = 2;
  const url = `${fake.url}/repos/octo/app`;
  const first = await fetch(url);
  const etag = first.headers.get("etag") ?? "";
  const again = await fetch(url, { headers: { "if-none-match": etag } });
  const last = await fetch(url);
  const over = await fetch(url);
  expect(
    [first, again, last, over].map(({ status, headers }) => [
      status,
      headers.get("x-ratelimit-remaining"),
    ]),
  ).toEqual([
    [200, "1"],
    [304, "1"],
    [200, "0"],
    [403, "0"],
  ]);
});

test("tokens have permissions, unknown resources are 404, and the log contains all requests", async () => {
  await using fake = await server({ tokens: { reader: ["contents"] } });
  const ask = async (path: string, token: string) => {
    const headers = { authorization: `token ${token}` };
    return (await fetch(`${fake.url}${path}`, { headers })).status;
  };
  const main = gitIn(dir, "rev-parse", "main").trim();
  const statuses = [
    await ask("/repos/octo/app/commits/main", "reader"),
    await ask(`/repos/OCTO/app/git/commits/${main}`, "reader"),
    await ask("/repos/octo/app/pulls/1", "reader"),
    await ask("/repos/octo/app/commits/main", "stranger"),
    await ask("/repos/octo/gone/commits/main", "reader"),
    await ask("/nothing", "reader"),
  ];
  expect(statuses).toEqual([200, 200, 403, 401, 404, 404]);
  expect(fake.requests.map(({ status }) => status)).toEqual(statuses);
  expect(fake.count("GET /repos/{owner}/{repo}/commits/{ref}")).toBe(3);
  expect(fake.count("GET /nothing")).toBe(1);
});

test("a fault applies to its operation and page, for the given number of requests", async () => {
  await using fake = await server();
  const operation = "GET /repos/{owner}/{repo}/pulls/{pull_number}/files";
  const fault = { kind: "status", status: 502 } as const;
  fake.fail({ operation, page: 2, times: 2, fault });
  const ask = async (path: string) =>
    (await fetch(`${fake.url}/repos/octo/app${path}`)).status;
  expect([
    await ask(""),
    await ask("/pulls/1/files"),
    await ask("/pulls/1/files?page=2"),
    await ask("/pulls/1/files?page=2"),
    await ask("/pulls/1/files?page=2"),
  ]).toEqual([200, 200, 502, 502, 200]);
});

test("GitHub's description contains every supported operation", () => {
  const unknown = routes.filter(({ operation }) => !isDescribed(operation));
  // GraphQL has its own schema, with which it is executed.
  expect(unknown.map(({ operation }) => operation)).toEqual(["POST /graphql"]);
});

test("requests and answers that violate GitHub's description fail the test", async () => {
  const fake = await server();
  const path = `${fake.url}/repos/octo/app`;
  const pull = { number: 2, base: "main", head: "feature" };
  fake.addPull(fake.addRepository("octo/odd", { dir: dir }), {
    ...pull,
    changedFiles: "many" as never,
  });
  await fetch(`${path}/pulls/1/files?page=one&perpage=3`);
  await fetch(`${path}/check-runs`, {
    method: "POST",
    body: JSON.stringify({ name: "c", head_sha: "0", title: "t", output: 1 }),
  });
  await fetch(`${path}/issues/1/comments`, { method: "POST" });
  await fetch(`${fake.url}/repos/octo/odd/pulls/2`);
  const files = "GET /repos/{owner}/{repo}/pulls/{pull_number}/files";
  const checks = "POST /repos/{owner}/{repo}/check-runs";
  const comments = "POST /repos/{owner}/{repo}/issues/{issue_number}/comments";
  await expect(fake[Symbol.asyncDispose]()).rejects.toThrow(
    [
      "GitHub's description does not allow:",
      `request ${files}: query must NOT have additional properties {"additionalProperty":"perpage"}`,
      `request ${files}: query/page must be integer {"type":"integer"}`,
      `request ${checks}: body has a member title, which is unknown`,
      `request ${checks}: body/output must be object {"type":"object"}`,
      `request ${comments}: the body is missing`,
      `answer to GET /repos/{owner}/{repo}/pulls/{pull_number}: 200/changed_files must be integer {"type":"integer"}`,
    ].join("\n"),
  );
});
