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

describe("a failure", () => {
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
      says: "127.0.0.1:PORT failed each time (500 to GET /repos/octo/app/pulls/7)",
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
      { kind: "slow", ms: 2_000 },
      9,
      {
        asked: 2,
        waits: [],
        kind: "timeout",
        status: undefined,
        says: `127.0.0.1:PORT never answered in time ${where}`,
      },
      { timeout: 500, retries: 1 },
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
      "after 429, it waits as long as the response says",
      { kind: "too-many-requests", retryAfter: 5 },
      1,
      { asked: 2, kind: "fine", waits: [waited("secondary rate limit", 5)] },
    ),
    row(
      "a wait that is too long does not start",
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
      "a request without permission is sent once",
      { kind: "missing-permission" },
      9,
      {
        asked: 1,
        waits: [],
        kind: "forbidden",
        status: 403,
        says: "127.0.0.1:PORT does not permit this with the token (403 to GET /repos/octo/app/pulls/7)",
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

  test("in the middle of a list never results in a shorter list", async () => {
    await using it = await world();
    it.fake.fail({ operation: FILES, fault: { kind: "status", status: 409 } });
    await expect(
      it.github.pullRequestFiles({ repository: octo, number: 7 }),
    ).rejects.toMatchObject({ kind: "refused", status: 409 });
  });
});
