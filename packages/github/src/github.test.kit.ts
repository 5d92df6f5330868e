import { afterAll, beforeAll } from "@jest/globals";
import { buildHistory, startFakeGitHub, tempDir } from "@skein/testing";
import type { FakeGitHubOptions } from "@skein/testing";
import { openGitHub, type GitHub, type GitHubOptions } from "./index.js";

export const octo = { owner: "octo", name: "app" };
export const PULL = "GET /repos/{owner}/{repo}/pulls/{pull_number}";
export const FILES = `${PULL}/files`;

/** Creates the repository that the fake GitHub serves. */
async function makeRepository() {
  const dir = await tempDir();
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
  return dir;
}

/**
 * Returns a server with one repository and one pull request, and a client with short seconds.
 * @param dir the repository's
 */
async function openWorld(
  dir: string,
  server: FakeGitHubOptions = {},
  client: GitHubOptions = {},
) {
  const fake = await startFakeGitHub(server);
  const repository = fake.addRepository("octo/app", { dir });
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

/**
 * Creates one repository for all tests of a file.
 * @returns a function that opens worlds with it, and a function for its folder, which exists once the tests run
 */
export function useWorlds() {
  let dir: Awaited<ReturnType<typeof makeRepository>>;
  beforeAll(async () => (dir = await makeRepository()));
  afterAll(async () => {
    await dir[Symbol.asyncDispose]();
  });
  return {
    world: (server?: FakeGitHubOptions, client?: GitHubOptions) =>
      openWorld(dir.path, server, client),
    dirOf: () => dir.path,
  };
}

/** Reads the pull request of `useWorlds`. */
export const readPull = (github: GitHub) =>
  github.pullRequest({ repository: octo, number: 7 });
