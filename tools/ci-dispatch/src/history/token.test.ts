import { expect, test } from "@jest/globals";
import { execFile } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { promisify } from "node:util";
import { gitTestEnv } from "@skein/testing";
import { withToken } from "./token.js";

/** Returns the headers that git sends to a server, for a GITHUB_SERVER_URL with this or another address. */
async function sent(
  serverOf: (origin: string) => string,
): Promise<readonly (string | undefined)[]> {
  const headers: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    headers.push(request.headers.authorization);
    response.writeHead(404).end();
  });
  await new Promise<void>((done) => {
    server.listen(0, "127.0.0.1", done);
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const env = withToken({
    ...gitTestEnv,
    GITHUB_TOKEN: "secret",
    GITHUB_SERVER_URL: serverOf(origin),
    GIT_CONFIG_COUNT: "1",
    GIT_CONFIG_KEY_0: "http.extraheader",
    GIT_CONFIG_VALUE_0: "X-Kept: yes",
  });
  const git = promisify(execFile)("git", ["ls-remote", `${origin}/octo/app`], {
    env: env,
  });
  await expect(git).rejects.toThrow("not found");
  await new Promise((done) => server.close(done));
  return headers;
}

test("git sends the token to the workflow's server", async () => {
  const basic = Buffer.from("x-access-token:secret").toString("base64");
  expect(await sent((origin) => origin)).toEqual([`basic ${basic}`]);
});

test.each([
  ["https://github.com"],
  ["http://127.0.0.1:1"],
  ["no address"],
  [""],
])("git doesn't send the token for %s to another server", async (server) => {
  expect(await sent(() => server)).toEqual([undefined]);
});

test("without a token, the environment is unchanged", () => {
  const env = { GITHUB_SERVER_URL: "https://github.com" };
  expect(withToken(env)).toBe(env);
});
