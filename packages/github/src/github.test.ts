import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { buildHistory, gitIn, startFakeGitHub, tempDir } from "@skein/testing";
import type { FakeGitHubOptions, Fault } from "@skein/testing";
import { GitHubError, explainGitHubError, openGitHub } from "./index.js";
import type { GitHub, GitHubOptions } from "./index.js";

const octo = { owner: "octo", name: "app" };
const PULL = "GET /repos/{owner}/{repo}/pulls/{pull_number}";
const FILES = `${PULL}/files`;

let dir: Awaited<ReturnType<typeof tempDir>>;
beforeAll(async () => {
  dir = await tempDir();
  buildHistory(dir.path, [
    {
      files: {
        "a/one.txt": "one\n".repeat(20),
        "a/b/two.bin": Buffer.from([0, 255, 128, 10]),
        link: { symlink: "a/one.txt" },
      },
    },
    {
      branch: "feature",
      from: "main",
      files: { "c/moved.txt": "one\n".repeat(20), "été\n.txt": "" },
      remove: ["a/one.txt"],
    },
    { branch: "main", files: { later: "x" } },
    { branch: "other", files: { unrelated: "y" } },
  ]);
});
afterAll(async () => {
  await dir[Symbol.asyncDispose]();
});

/** A server with one repository and one pull request, and a client whose seconds are short. */
async function world(
  server: FakeGitHubOptions = {},
  client: GitHubOptions = {},
) {
  const fake = await startFakeGitHub(server);
  const repository = fake.addRepository("octo/app", { dir: dir.path });
  fake.addPull(repository, { number: 7, base: "main", head: "feature" });
  const waits: string[] = [];
  const github = openGitHub({
    baseUrl: fake.url,
    second: 1,
    log: (line) => waits.push(line),
    ...client,
  });
  return {
    fake,
    repository,
    github,
    waits,
    [Symbol.asyncDispose]: () => fake[Symbol.asyncDispose](),
  };
}
const commit = (name: string) => gitIn(dir.path, "rev-parse", name).trim();
const readPull = (github: GitHub) =>
  github.pullRequest({ repository: octo, number: 7 });

describe("what GitHub knows", () => {
  test("open pull requests, all pages, oldest first, a deleted fork among them", async () => {
    await using it = await world();
    for (let number = 8; number <= 107; number++)
      it.fake.addPull(it.repository, {
        number,
        base: "main",
        head: "feature",
        title: `Change ${number}`,
        author: "mona",
        headRepository: number === 107 ? null : "mona/app",
      }).state = number === 9 ? "closed" : "open";
    const found = await it.github.openPullRequests(octo);
    expect(found.map(({ number }) => number)).toEqual(
      Array.from({ length: 101 }, (_, index) => index + 7).filter(
        (number) => number !== 9,
      ),
    );
    expect(found.at(-1)).toEqual({
      number: 107,
      title: "Change 107",
      author: "mona",
      draft: false,
      base: { branch: "main", commit: commit("main"), repository: "octo/app" },
      head: {
        branch: "feature",
        commit: commit("feature"),
        repository: undefined,
      },
    });
    const mona = { owner: "mona", branch: "feature" };
    expect(
      (await it.github.openPullRequests(octo, mona)).map(
        ({ number }) => number,
      ),
    ).toEqual([8, ...Array.from({ length: 97 }, (_, index) => index + 10)]);
    const other = { owner: "mona", branch: "other&state=closed" };
    expect(await it.github.openPullRequests(octo, other)).toEqual([]);
  });
  test("a pull request and its files, with old paths", async () => {
    await using it = await world();
    expect(await readPull(it.github)).toEqual({
      number: 7,
      base: { branch: "main", commit: commit("main"), repository: "octo/app" },
      head: {
        branch: "feature",
        commit: commit("feature"),
        repository: "octo/app",
      },
      changedFiles: 2,
    });
    expect(
      await it.github.pullRequestFiles({ repository: octo, number: 7 }),
    ).toEqual([
      {
        path: "c/moved.txt",
        status: "renamed",
        previousPath: "a/one.txt",
        id: commit("feature:c/moved.txt"),
      },
      {
        path: "été\n.txt",
        status: "added",
        previousPath: undefined,
        id: commit("feature:été\n.txt"),
      },
    ]);
  });

  test("a comparison starts at the merge base", async () => {
    await using it = await world();
    expect(await it.github.compare(octo, "main", "feature")).toMatchObject({
      mergeBase: commit("main~1"),
      relation: "diverged",
      mayBeCut: false,
      files: [{ path: "c/moved.txt" }, { path: "été\n.txt" }],
    });
  });

  test("trees and blobs, byte by byte", async () => {
    await using it = await world();
    expect(await it.github.tree(octo, commit("main"))).toEqual([
      { path: "a/b/two.bin", mode: "100644", id: commit("main:a/b/two.bin") },
      { path: "a/one.txt", mode: "100644", id: commit("main:a/one.txt") },
      { path: "later", mode: "100644", id: commit("main:later") },
      { path: "link", mode: "120000", id: commit("main:link") },
    ]);
    expect(await it.github.blob(octo, commit("main:a/b/two.bin"))).toEqual(
      Buffer.from([0, 255, 128, 10]),
    );
  });

  test("a listing that GitHub cuts is read folder by folder, and is the same", async () => {
    await using it = await world();
    const whole = await it.github.tree(octo, commit("main"));
    it.repository.treeCap = 2;
    expect(await it.github.tree(octo, commit("main"))).toEqual(whole);
    expect(
      it.fake.count("GET /repos/{owner}/{repo}/git/trees/{tree_sha}"),
    ).toBe(6);
  });

  test("names of commits, and the default branch", async () => {
    await using it = await world();
    expect(await it.github.defaultBranch(octo)).toBe("main");
    expect(await it.github.resolveRef(octo, "feature")).toBe(commit("feature"));
    expect(await it.github.resolveRef(octo, "gone/branch")).toBeUndefined();
  });

  test("runs of a workflow, over all pages, newest first", async () => {
    await using it = await world();
    for (let at = 0; at < 130; at++)
      it.fake.addRun(it.repository, {
        headSha: commit("main"),
        conclusion: at === 3 ? "success" : "failure",
      });
    const sizes: number[] = [];
    const query = { workflow: "ci.yml", branch: "main" };
    for await (const page of it.github.workflowRuns(octo, query))
      sizes.push(page.length);
    expect(sizes).toEqual([100, 30]);
    const green = it.github.workflowRuns(octo, { ...query, status: "success" });
    for await (const page of green)
      expect(page).toEqual([
        {
          id: 1006,
          commit: commit("main"),
          branch: "main",
          headRepository: "octo/app",
          title: "ci",
          event: "push",
          created: "2026-01-01T00:04:00.000Z",
          attempt: 1,
          status: "completed",
          conclusion: "success",
        },
      ]);
  });

  test("an Enterprise Server's address, the user agent and the token arrive", async () => {
    await using it = await world(
      { basePath: "/api/v3", tokens: { good: ["pull_requests"] } },
      { token: "good", userAgent: "skein-test" },
    );
    await readPull(it.github);
    expect(it.fake.requests).toMatchObject([
      {
        operation: PULL,
        url: "/api/v3/repos/octo/app/pulls/7",
        userAgent: expect.stringMatching(/^skein-test /) as unknown,
        authorized: true,
        status: 200,
      },
    ]);
  });
});

/** What a failing call comes to, in full: what it throws, what it says, how often it asked, what it waited for. */
async function failing(
  fault: Fault["fault"],
  times: number,
  client: GitHubOptions = {},
) {
  await using it = await world({}, client);
  it.fake.fail({ fault, times });
  const outcome = await readPull(it.github).catch((error: unknown) => error);
  const { port } = new URL(it.fake.url);
  const shown = (text: string) => text.replaceAll(port, "PORT");
  return {
    asked: it.fake.count(PULL),
    waits: it.waits.map(shown),
    ...(outcome instanceof GitHubError
      ? {
          kind: outcome.kind,
          status: outcome.status,
          says: shown(explainGitHubError(outcome).sentence),
        }
      : { kind: "fine" }),
  };
}

describe("failures", () => {
  const where = "(GET /repos/octo/app/pulls/7)";
  const waited = (limit: string, seconds: number) =>
    `GitHub's ${limit} is reached; waiting ${seconds} s (GET /repos/{owner}/{repo}/pulls/{pull_number})`;
  interface Row {
    readonly name: string;
    readonly fault: Fault["fault"];
    readonly times: number;
    readonly expected: object;
    readonly client?: GitHubOptions;
  }
  const row = (
    name: string,
    fault: Fault["fault"],
    times: number,
    expected: object,
    client: GitHubOptions = {},
  ): Row => ({ name, fault, times, expected, client });
  const rows: readonly Row[] = [
    row("502 twice passes", { kind: "status", status: 502 }, 2, {
      asked: 3,
      kind: "fine",
      waits: [],
    }),
    row("500 for ever", { kind: "status", status: 500 }, 9, {
      asked: 4,
      waits: [],
      kind: "server",
      status: 500,
      says: "127.0.0.1:PORT failed (500 to GET /repos/octo/app/pulls/7), again and again",
    }),
    row("a cut connection passes", { kind: "reset" }, 1, {
      asked: 2,
      kind: "fine",
      waits: [],
    }),
    row("cut connections for ever", { kind: "reset" }, 9, {
      asked: 4,
      waits: [],
      kind: "connection",
      status: undefined,
      says: `the connection to 127.0.0.1:PORT failed (ECONNRESET) ${where}`,
    }),
    row("a cut body passes", { kind: "cut-body" }, 1, {
      asked: 2,
      kind: "fine",
      waits: [],
    }),
    row("cut bodies for ever", { kind: "cut-body" }, 9, {
      asked: 4,
      waits: [],
      kind: "connection",
      status: undefined,
      says: `the connection to 127.0.0.1:PORT failed (UND_ERR_SOCKET) ${where}`,
    }),
    row("no JSON for ever", { kind: "not-json" }, 9, {
      asked: 4,
      waits: [],
      kind: "broken-answer",
      status: undefined,
      says: `127.0.0.1:PORT sent an answer that cannot be read ${where}: not JSON`,
    }),
    row(
      "slow for ever",
      { kind: "slow", ms: 400 },
      9,
      {
        asked: 2,
        waits: [],
        kind: "timeout",
        status: undefined,
        says: `127.0.0.1:PORT did not answer in time ${where}, again and again`,
      },
      { timeout: 100, retries: 1 },
    ),
    row(
      "403 with retry-after passes when it is waited for",
      { kind: "secondary-limit", retryAfter: 7 },
      2,
      {
        asked: 3,
        kind: "fine",
        waits: [
          waited("secondary rate limit", 7),
          waited("secondary rate limit", 7),
        ],
      },
    ),
    row(
      "403 with retry-after for ever",
      { kind: "secondary-limit", retryAfter: 7 },
      9,
      {
        asked: 2,
        waits: [waited("secondary rate limit", 7)],
        kind: "secondary-limit",
        status: 403,
        says: "127.0.0.1:PORT is slowing us down: too many requests at once (403 to GET /repos/octo/app/pulls/7)",
      },
      { retries: 1 },
    ),
    row(
      "a secondary limit without retry-after is waited for a minute",
      { kind: "secondary-limit" },
      1,
      { asked: 2, kind: "fine", waits: [waited("secondary rate limit", 60)] },
    ),
    row(
      "429 is waited for as long as it says",
      { kind: "too-many-requests", retryAfter: 5 },
      1,
      { asked: 2, kind: "fine", waits: [waited("secondary rate limit", 5)] },
    ),
    row(
      "a wait that is too long is not begun",
      { kind: "too-many-requests", retryAfter: 500 },
      1,
      {
        asked: 1,
        waits: [],
        kind: "secondary-limit",
        status: 429,
        says: "127.0.0.1:PORT is slowing us down: too many requests at once (429 to GET /repos/octo/app/pulls/7)",
      },
    ),
    row(
      "the hour's requests are used up",
      { kind: "rate-limit", resetIn: 3000 },
      9,
      {
        asked: 1,
        waits: [],
        kind: "rate-limit",
        status: 403,
        says: `all requests that 127.0.0.1:PORT allows in this hour are used up ${where}`,
      },
    ),
    row(
      "a missing permission is asked for once",
      { kind: "missing-permission" },
      9,
      {
        asked: 1,
        waits: [],
        kind: "forbidden",
        status: 403,
        says: "127.0.0.1:PORT says that the token may not do this (403 to GET /repos/octo/app/pulls/7)",
      },
    ),
    row("422", { kind: "status", status: 422 }, 9, {
      asked: 1,
      waits: [],
      kind: "refused",
      status: 422,
      says: "127.0.0.1:PORT refused the request (422 to GET /repos/octo/app/pulls/7)",
    }),
  ];
  test.each(rows)("$name", async ({ fault, times, expected, client }) => {
    expect(await failing(fault, times, client)).toEqual(expected);
  });

  test("404 for what is not there, and 401 for a token nobody knows, which is not repeated", async () => {
    await using it = await world(
      { tokens: { good: ["pull_requests"] } },
      { token: "ghs_secret0123456789" },
    );
    const error = await readPull(it.github).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ kind: "unauthorized", status: 401 });
    const { message, stack, data, cause } = error as GitHubError;
    const all = JSON.stringify({ message, stack, data, cause, error });
    expect(all).not.toContain("ghs_secret");
    const good = openGitHub({ baseUrl: it.fake.url, token: "good" });
    await expect(
      good.pullRequest({ repository: octo, number: 8 }),
    ).rejects.toMatchObject({ kind: "not-found", status: 404 });
    await expect(good.defaultBranch(octo)).rejects.toMatchObject({
      kind: "forbidden",
      data: { acceptedPermissions: "metadata=read" },
    });
    expect(it.fake.requests.map(({ status }) => status)).toEqual([
      401, 404, 403,
    ]);
  });

  test("nobody there", async () => {
    const it = await world();
    await it[Symbol.asyncDispose]();
    const error = await readPull(it.github).catch((thrown: unknown) => thrown);
    expect(explainGitHubError(error as GitHubError)).toEqual({
      sentence: `the connection to ${new URL(it.fake.url).host} failed (ECONNREFUSED) (GET /repos/octo/app/pulls/7)`,
      hint: "check the network, and GITHUB_API_URL where it is set",
    });
  });

  test("a failure in the middle of a list is never a shorter list", async () => {
    await using it = await world();
    it.fake.fail({ operation: FILES, fault: { kind: "status", status: 409 } });
    await expect(
      it.github.pullRequestFiles({ repository: octo, number: 7 }),
    ).rejects.toMatchObject({ kind: "refused", status: 409 });
  });
});
