import { describe, expect, test } from "@jest/globals";
import { gitIn } from "@skein/testing";
import { octo, PULL, readPull, useWorlds } from "./github.test.kit.js";

const { world, dirOf } = useWorlds();
const commit = (name: string) => gitIn(dirOf(), "rev-parse", name).trim();

describe("data of GitHub", () => {
  test("all pages of open pull requests, oldest first, including one of a deleted fork", async () => {
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

  test("trees and blobs are read byte by byte", async () => {
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

  test("a truncated tree is read folder by folder, with the same result", async () => {
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

  test("all pages of a workflow's runs, newest first", async () => {
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
          path: ".github/workflows/ci.yml",
          pulls: undefined,
          title: "ci",
          event: "push",
          created: "2026-01-01T00:04:00.000Z",
          attempt: 1,
          status: "completed",
          conclusion: "success",
        },
      ]);
  });

  test("an Enterprise Server gets requests with the user agent and the token", async () => {
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
