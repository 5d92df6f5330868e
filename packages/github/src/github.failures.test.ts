import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, test } from "@jest/globals";
import type { Fault } from "@skein/testing";
import { FILES, octo, PULL, readPull, useWorlds } from "./github.test.kit.js";
import { GitHubError, explainGitHubError, openGitHub } from "./index.js";
import type { GitHubOptions } from "./index.js";

const { world } = useWorlds();

/** Returns everything about a failing call: its error and message, its requests and its waits. */
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
  const ended =
    outcome instanceof GitHubError
      ? `${[outcome.kind, outcome.status].join(" ").trim()}: ${shown(explainGitHubError(outcome).sentence)}`
      : "fine";
  return {
    expected: `${it.fake.count(PULL)} requests, ${ended}`,
    waits: it.waits.map(shown),
  };
}

describe("a failure", () => {
  const where = "(GET /repos/octo/app/pulls/7)";
  const waited = (limit: string, seconds: number) =>
    `GitHub's ${limit} is reached; waiting ${seconds} s (GET /repos/{owner}/{repo}/pulls/{pull_number})`;
  interface More {
    readonly waits?: readonly string[];
    readonly client?: GitHubOptions;
  }
  test.each<[string, Fault["fault"], number, string, More?]>([
    [
      "502 twice passes",
      { kind: "status", status: 502 },
      2,
      "3 requests, fine",
    ],
    [
      "500 for ever",
      { kind: "status", status: 500 },
      9,
      "4 requests, server 500: 127.0.0.1:PORT failed each time (500 to GET /repos/octo/app/pulls/7)",
    ],
    ["a cut connection passes", { kind: "reset" }, 1, "2 requests, fine"],
    [
      "cut connections for ever",
      { kind: "reset" },
      9,
      `4 requests, connection: the connection to 127.0.0.1:PORT failed (ECONNRESET) ${where}`,
    ],
    ["a cut body passes", { kind: "cut-body" }, 1, "2 requests, fine"],
    [
      "cut bodies for ever",
      { kind: "cut-body" },
      9,
      `4 requests, connection: the connection to 127.0.0.1:PORT failed (UND_ERR_SOCKET) ${where}`,
    ],
    [
      "no JSON for ever",
      { kind: "not-json" },
      9,
      `4 requests, broken-answer: 127.0.0.1:PORT sent an answer that cannot be read ${where}: not JSON`,
    ],
    [
      "slow for ever",
      { kind: "slow", ms: 2_000 },
      9,
      `2 requests, timeout: 127.0.0.1:PORT never answered in time ${where}`,
      { client: { timeout: 500, retries: 1 } },
    ],
    [
      "403 with retry-after passes when it is waited for",
      { kind: "secondary-limit", retryAfter: 7 },
      2,
      "3 requests, fine",
      {
        waits: [
          waited("secondary rate limit", 7),
          waited("secondary rate limit", 7),
        ],
      },
    ],
    [
      "403 with retry-after for ever",
      { kind: "secondary-limit", retryAfter: 7 },
      9,
      "2 requests, secondary-limit 403: 127.0.0.1:PORT is slowing us down: too many requests at once (403 to GET /repos/octo/app/pulls/7)",
      { waits: [waited("secondary rate limit", 7)], client: { retries: 1 } },
    ],
    [
      "a secondary limit without retry-after is waited for a minute",
      { kind: "secondary-limit" },
      1,
      "2 requests, fine",
      { waits: [waited("secondary rate limit", 60)] },
    ],
    [
      "after 429, it waits as long as the response says",
      { kind: "too-many-requests", retryAfter: 5 },
      1,
      "2 requests, fine",
      { waits: [waited("secondary rate limit", 5)] },
    ],
    [
      "a wait that is too long does not start",
      { kind: "too-many-requests", retryAfter: 500 },
      1,
      "1 requests, secondary-limit 429: 127.0.0.1:PORT is slowing us down: too many requests at once (429 to GET /repos/octo/app/pulls/7)",
    ],
    [
      "the hour's requests are used up",
      { kind: "rate-limit", resetIn: 3000 },
      9,
      `1 requests, rate-limit 403: all requests that 127.0.0.1:PORT allows in this hour are used up ${where}`,
    ],
    [
      "a request without permission is sent once",
      { kind: "missing-permission" },
      9,
      "1 requests, forbidden 403: 127.0.0.1:PORT does not permit this with the token (403 to GET /repos/octo/app/pulls/7)",
    ],
    [
      "422",
      { kind: "status", status: 422 },
      9,
      "1 requests, refused 422: 127.0.0.1:PORT refused the request (422 to GET /repos/octo/app/pulls/7)",
    ],
  ])(
    "%s",
    async (...[, fault, times, expected, { waits = [], client } = {}]) => {
      expect(await failing(fault, times, client)).toEqual({ expected, waits });
    },
  );

  test("is 404 for a missing object and 401 for an unknown token, which isn't retried", async () => {
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

  test("has its words if no server answers", async () => {
    const it = await world();
    await it[Symbol.asyncDispose]();
    const error = await readPull(it.github).catch((thrown: unknown) => thrown);
    expect(explainGitHubError(error as GitHubError)).toEqual({
      sentence: `the connection to ${new URL(it.fake.url).host} failed (ECONNREFUSED) (GET /repos/octo/app/pulls/7)`,
      hint: "check the network, and GITHUB_API_URL where it is set",
    });
  });

  test("is an answer without members that GitHub documents", async () => {
    const server = createServer((_, response) => {
      response.setHeader("content-type", "application/json").end("{}");
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    try {
      const { port } = server.address() as AddressInfo;
      const github = openGitHub({ baseUrl: `http://127.0.0.1:${port}` });
      const error = await readPull(github).catch((thrown: unknown) => thrown);
      expect(explainGitHubError(error as GitHubError).sentence).toBe(
        "GitHub sent an answer that cannot be read (GET /repos/octo/app/pulls/7): a pull request without its commits or its number of changed files",
      );
    } finally {
      server.close();
    }
  });

  test("in the middle of a list never results in a shorter list", async () => {
    await using it = await world();
    it.fake.fail({ operation: FILES, fault: { kind: "status", status: 409 } });
    await expect(
      it.github.pullRequestFiles({ repository: octo, number: 7 }),
    ).rejects.toMatchObject({ kind: "refused", status: 409 });
  });
});
