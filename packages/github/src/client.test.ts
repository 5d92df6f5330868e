import { expect, test } from "@jest/globals";
import { startFakeGitHub } from "@skein/testing";
import { openClient } from "./client.js";

const DISPATCH = "POST /repos/octo/app/dispatches";

test("a write without an answer isn't repeated", async () => {
  await using fake = await startFakeGitHub();
  const client = openClient({ baseUrl: fake.url, second: 1 });
  for (const fault of [
    { kind: "status", status: 502 },
    { kind: "reset" },
  ] as const) {
    const before = fake.count(DISPATCH);
    fake.fail({ operation: DISPATCH, fault });
    await expect(
      client.ask((octokit) => octokit.request(DISPATCH)),
    ).rejects.toMatchObject({
      kind: fault.kind === "reset" ? "connection" : "server",
    });
    expect(fake.count(DISPATCH) - before).toBe(1);
  }
});

test("the client waits if the rate limit is reset soon", async () => {
  await using fake = await startFakeGitHub();
  const waits: string[] = [];
  const client = openClient({
    baseUrl: fake.url,
    second: 1,
    log: (line) => waits.push(line),
  });
  fake.fail({ fault: { kind: "rate-limit", resetIn: 30 } });
  await expect(
    client.ask((octokit) => octokit.request("GET /nothing")),
  ).rejects.toMatchObject({ kind: "not-found" });
  expect(waits).toEqual([
    expect.stringMatching(
      /^GitHub's rate limit is reached; waiting 3[01] s \(GET \/nothing\)$/,
    ),
  ]);
  expect(fake.count("GET /nothing")).toBe(2);
});
