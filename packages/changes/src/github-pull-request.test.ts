import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { openRepository } from "@skein/git";
import { gitIn, gitTestEnv, tempDir, writePullRefs } from "@skein/testing";
import type { FakePull } from "@skein/testing";
import { lines } from "./situations/change-lines.test.kit.js";
import { readPullRequestChangeset } from "./github-pull-request.js";
import {
  githubWorld,
  history,
  manyFiles,
  octo,
  type World,
} from "./github-world.test.kit.js";

const FILES = "GET /repos/{owner}/{repo}/pulls/{pull_number}/files";
const pullRequest = (number: number) => ({ repository: octo, number });

const readPull = ({ github }: Pick<World, "github">, number: number) =>
  readPullRequestChangeset({ github, pullRequest: pullRequest(number) });

test("a pull request's changes, from the merge base, with old paths", async () => {
  await using it = await githubWorld(history);
  it.fake.addPull(it.repository, { number: 7, base: "main", head: "feature" });
  expect(await readPull(it, 7)).toEqual({
    base: { name: "main", commit: it.id("main~1") },
    head: { name: "octo/app#7", commit: it.id("feature") },
    source: {
      kind: "pull-request",
      repository: "octo/app",
      number: 7,
      via: "api",
    },
    changes: [
      { path: "a/one.txt", kind: "deleted", origin: "committed" },
      {
        path: "b.txt",
        kind: "modified",
        origin: "committed",
        newId: it.id("feature:b.txt"),
      },
      {
        path: "c/moved.txt",
        kind: "added",
        origin: "committed",
        oldPath: "a/one.txt",
        newId: it.id("feature:c/moved.txt"),
      },
      {
        path: "gone.txt",
        kind: "deleted",
        origin: "committed",
        oldId: it.id("main:gone.txt"),
      },
      {
        path: "é\n.txt",
        kind: "added",
        origin: "committed",
        newId: it.id("feature:é\n.txt"),
      },
    ],
    unknown: [],
  });
});

describe("large pull requests", () => {
  let it: World;
  beforeAll(async () => {
    it = await githubWorld([
      { files: { start: "" } },
      { branch: "b250", from: "main", files: manyFiles(250) },
      { branch: "b2999", from: "main", files: manyFiles(2999) },
      { branch: "b3000", from: "main", files: manyFiles(3000) },
      { branch: "b3001", from: "main", files: manyFiles(3001) },
    ]);
    for (const number of [250, 2999, 3000, 3001])
      it.fake.addPull(it.repository, {
        number,
        base: "main",
        head: `b${number}`,
      });
  });
  afterAll(async () => {
    await it[Symbol.asyncDispose]();
  });
  const read = async (number: number, clone?: string) =>
    readPullRequestChangeset({
      github: it.github,
      pullRequest: pullRequest(number),
      clone:
        clone === undefined
          ? undefined
          : await openRepository({ cwd: clone, env: gitTestEnv }),
    });

  test("all pages are read", async () => {
    const before = it.fake.count(FILES);
    const changeset = await read(250);
    expect(it.fake.count(FILES) - before).toBe(3);
    expect(lines(changeset)).toEqual(
      Object.keys(manyFiles(250)).map((path) => `committed added ${path}`),
    );
    expect(changeset.unknown).toEqual([]);
  });

  test("2,999 files are complete", async () => {
    const { changes, unknown } = await read(2999);
    expect({ listed: changes.length, unknown }).toEqual({
      listed: 2999,
      unknown: [],
    });
  });

  test.each([3000, 3001])(
    "%i files without a clone: everything is selected, with the reason",
    async (number) => {
      const { changes, unknown, source } = await read(number);
      expect({ listed: changes.length, unknown, source }).toEqual({
        listed: 3000,
        unknown: [
          {
            kind: "list-cut",
            listed: 3000,
            expected: number,
            detail: `GitHub lists at most 3000 files of a pull request, and octo/app#${number} changes ${number}`,
          },
        ],
        source: {
          kind: "pull-request",
          repository: "octo/app",
          number,
          via: "api",
        },
      });
    },
  );

  test("with a clone, git lists all 3,001 files", async () => {
    const changeset = await read(3001, it.dir);
    expect(lines(changeset)).toEqual(
      Object.keys(manyFiles(3001)).map((path) => `committed added ${path}`),
    );
    expect({ ...changeset, changes: [] }).toEqual({
      base: { name: "main", commit: it.id("main") },
      head: { name: "octo/app#3001", commit: it.id("b3001") },
      source: {
        kind: "pull-request",
        repository: "octo/app",
        number: 3001,
        via: "git",
      },
      changes: [],
      unknown: [],
    });
  });

  test("a clone without the head isn't used", async () => {
    await using clone = await tempDir();
    const url = `file://${it.dir}`;
    gitIn(clone.path, "clone", "-q", "--single-branch", url, ".");
    const { unknown, source } = await read(3001, clone.path);
    expect(unknown).toMatchObject([{ kind: "list-cut", listed: 3000 }]);
    expect(source).toMatchObject({ via: "api" });
  });

  test("a truncated list isn't used", async () => {
    it.fake.fail({
      operation: FILES,
      page: 2,
      fault: { kind: "cut-list", keep: 30 },
    });
    const { changes, unknown } = await read(250);
    expect({ listed: changes.length, unknown }).toEqual({
      listed: 130,
      unknown: [
        {
          kind: "list-cut",
          listed: 130,
          expected: 250,
          detail: "GitHub listed 130 files of octo/app#250, which changes 250",
        },
      ],
    });
  });
});

test("a count below the length of the list makes it incomplete", async () => {
  await using it = await githubWorld(history);
  it.fake.addPull(it.repository, {
    number: 7,
    base: "main",
    head: "feature",
    changedFiles: 3,
  });
  const { unknown } = await readPull(it, 7);
  expect(unknown).toEqual([
    {
      kind: "list-cut",
      listed: 4,
      expected: 3,
      detail: "GitHub listed 4 files of octo/app#7, which changes 3",
    },
  ]);
});

describe("a push while the pages are read", () => {
  /** Creates a pull request that gets another file each time its files are listed, up to `times` times. */
  async function pushing(times: number) {
    let left = times;
    const pulls: FakePull[] = [];
    const it = await githubWorld(
      [
        { files: { start: "" } },
        { branch: "feature", from: "main", files: manyFiles(2) },
      ],
      ({ dir, repository }, operation) => {
        const [pull] = pulls;
        if (operation !== FILES || left-- <= 0 || !pull) return;
        const tree = gitIn(dir, "rev-parse", `${pull.headSha}^{tree}`).trim();
        const parent = ["-p", pull.headSha];
        const blob = gitIn(dir, "rev-parse", "main:start").trim();
        gitIn(dir, "read-tree", tree);
        // One file is added and another removed, so the number of files doesn't change.
        const former = [`pushed-${left + 1}.txt`, "many/0001.txt"];
        gitIn(dir, "update-index", "--force-remove", ...former);
        const entry = `100644,${blob},pushed-${left}.txt`;
        gitIn(dir, "update-index", "--add", "--cacheinfo", entry);
        const next = gitIn(dir, "write-tree").trim();
        pull.headSha = gitIn(
          dir,
          "commit-tree",
          ...parent,
          "-m",
          "push",
          next,
        ).trim();
        writePullRefs(repository, pull);
      },
    );
    pulls.push(
      it.fake.addPull(it.repository, {
        number: 7,
        base: "main",
        head: "feature",
      }),
    );
    return it;
  }

  test("once: the list is read again", async () => {
    await using it = await pushing(1);
    const changeset = await readPull(it, 7);
    expect(lines(changeset)).toEqual([
      "committed added many/0000.txt",
      "committed added pushed-0.txt",
    ]);
    expect(changeset.head?.commit).toBe(it.id("refs/pull/7/head"));
    expect(changeset.unknown).toEqual([]);
    expect(it.fake.count(FILES)).toBe(2);
  });

  test("only to the base branch: the list is read again, from the new merge base", async () => {
    let isMoved = false;
    const pulls: FakePull[] = [];
    await using it = await githubWorld(
      [
        { files: { start: "" } },
        { branch: "feature", from: "main", files: manyFiles(2) },
        { branch: "moved", from: "main", files: { "later.txt": "" } },
      ],
      ({ dir, repository }, operation) => {
        const [pull] = pulls;
        if (operation !== FILES || isMoved || !pull) return;
        isMoved = true;
        pull.baseSha = gitIn(dir, "rev-parse", "moved").trim();
        writePullRefs(repository, pull);
      },
    );
    pulls.push(
      it.fake.addPull(it.repository, {
        number: 7,
        base: "main",
        head: "feature",
      }),
    );
    await readPull(it, 7);
    expect(it.fake.count(FILES)).toBe(2);
  });

  test("repeatedly: the list isn't used", async () => {
    await using it = await pushing(9);
    const { head, unknown } = await readPull(it, 7);
    expect(head?.commit).toBe(it.id("refs/pull/7/head"));
    expect(unknown).toEqual([
      {
        kind: "list-cut",
        listed: 2,
        expected: 2,
        detail: "octo/app#7 changed each of the 3 times it was read",
      },
    ]);
    expect(it.fake.count(FILES)).toBe(3);
  });
});

test("a missing pull request is reported", async () => {
  await using it = await githubWorld(history);
  await expect(readPull(it, 404)).rejects.toMatchObject({
    name: "GitHubError",
    kind: "not-found",
  });
});
