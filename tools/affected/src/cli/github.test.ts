import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { gitIn, startFakeGitHub, tempDir } from "@skein/testing";
import { run, shopWithChange, shown } from "./affected.test.kit.js";

/** Puts the shop on a fake GitHub as acme/shop, with pull request 7 of the branch `change`. */
async function hub() {
  const dir = await shopWithChange();
  const fake = await startFakeGitHub();
  const repository = fake.addRepository("acme/shop", { dir: dir.path });
  const id = (name: string) => gitIn(dir.path, "rev-parse", name).trim();
  return {
    dir,
    fake,
    repository,
    id,
    env: { GITHUB_API_URL: fake.url },
    async [Symbol.asyncDispose]() {
      await fake[Symbol.asyncDispose]();
      await dir[Symbol.asyncDispose]();
    },
  };
}

describe("--pr", () => {
  test("needs no clone, and reports what was not read", async () => {
    await using world = await hub();
    const { fake, repository, env } = world;
    await using elsewhere = await tempDir();
    fake.addPull(repository, { number: 7, base: "main", head: "change" });
    expect(
      await shown({ cwd: elsewhere.path, env }, "list", "--pr", "acme/shop#7"),
    ).toBe(
      "0 stdout: @shop/app\n@shop/core\n@shop/ui\n stderr: warning: without a clone, Skein reads no sources, so it can't find dependencies that no package.json declares\n",
    );
  });

  test("reads CODEOWNERS from GitHub, too", async () => {
    await using world = await hub();
    const { fake, repository, env } = world;
    await using elsewhere = await tempDir();
    fake.addPull(repository, { number: 7, base: "main", head: "change" });
    expect(
      await run(
        { cwd: elsewhere.path, env },
        ...["list", "--pr", "acme/shop#7", "--filter", "owner(@shop/web)"],
      ),
    ).toMatchObject({ exitCode: 0, stdout: "@shop/ui\n" });
  });

  test("counts sources in a clone that has the commits", async () => {
    await using world = await hub();
    const { dir, fake, repository, env } = world;
    fake.addPull(repository, { number: 7, base: "main", head: "change" });
    expect(
      await shown({ cwd: dir.path, env }, "list", "--pr", "acme/shop#7"),
    ).toBe("0 stdout: @shop/app\n@shop/core\n@shop/ui\n");
  });

  test("reports a missing pull request in one clear sentence", async () => {
    await using world = await hub();
    const { dir, env } = world;
    const answer = await run(
      { cwd: dir.path, env },
      "list",
      "--pr",
      "acme/shop#9",
    );
    expect(answer.exitCode).toBe(3);
    expect(answer.stdout).toBe("");
    expect(answer.stderr).toMatch(/^affected: .*\nhint: .*\n$/);
  });
});

test("in GitHub Actions, the event determines the changes, without the working tree", async () => {
  await using world = await hub();
  const { dir, id } = world;
  gitIn(dir.path, "checkout", "--quiet", "change");
  const event = join(dir.path, "event.json");
  writeFileSync(
    event,
    JSON.stringify({
      before: id("main"),
      after: id("change"),
      ref: "refs/heads/change",
      created: false,
      deleted: false,
      forced: false,
      repository: { full_name: "acme/shop", default_branch: "main" },
    }),
  );
  const env = {
    GITHUB_ACTIONS: "true",
    GITHUB_EVENT_NAME: "push",
    GITHUB_EVENT_PATH: event,
    GITHUB_REPOSITORY: "acme/shop",
    GITHUB_SHA: id("change"),
    GITHUB_REF: "refs/heads/change",
  };
  writeFileSync(join(dir.path, "packages/alone/new.js"), "");
  const { exitCode, stdout } = await run({ cwd: dir.path, env }, "list");
  expect({ exitCode, stdout }).toEqual({
    exitCode: 0,
    stdout: "@shop/app\n@shop/core\n@shop/ui\n",
  });
});

test("--base last-green compares with the newest green commit itself", async () => {
  await using world = await hub();
  const { dir, fake, repository, id, env } = world;
  fake.addRun(repository, {
    headSha: id("main"),
    headBranch: "main",
    conclusion: "success",
  });
  gitIn(
    dir.path,
    "remote",
    "add",
    "origin",
    "https://github.com/acme/shop.git",
  );
  gitIn(dir.path, "checkout", "--quiet", "change");
  const { exitCode, stdout } = await run(
    { cwd: dir.path, env },
    ...["list", "--base", "last-green"],
  );
  expect({ exitCode, stdout }).toEqual({
    exitCode: 0,
    stdout: "@shop/app\n@shop/core\n@shop/ui\n",
  });
});

describe("targets", () => {
  const body = (sha: string, impactedTargets: unknown) => ({
    repo: { host: "github.com", owner: "acme", name: "shop" },
    pr: { number: 7, sha },
    targetBranch: "main",
    impactedTargets,
  });

  test("prints the affected packages in the run of a pull request, with its head commit", async () => {
    await using world = await hub();
    const { dir, id } = world;
    const [base, head] = [id("main"), id("change")];
    const payload = join(dir.path, "..", `${head}.json`);
    writeFileSync(
      payload,
      JSON.stringify({
        pull_request: {
          number: 7,
          base: { ref: "main", sha: base },
          head: { ref: "change", sha: head },
        },
      }),
    );
    const env = {
      GITHUB_ACTIONS: "true",
      GITHUB_EVENT_NAME: "pull_request",
      GITHUB_EVENT_PATH: payload,
      GITHUB_REPOSITORY: "acme/shop",
      GITHUB_SHA: head,
    };
    const { stdout } = await run({ cwd: dir.path, env }, "targets");
    rmSync(payload);
    expect(JSON.parse(stdout)).toEqual(
      body(head, ["@shop/app", "@shop/core", "@shop/ui"]),
    );
  });

  test("prints those of a named pull request; outside of a pull request's run, the name is required", async () => {
    await using world = await hub();
    const { dir, fake, repository, env, id } = world;
    fake.addPull(repository, { number: 7, base: "main", head: "change" });
    const asked = ["targets", "--pr", "acme/shop#7"];
    const { stdout } = await run(
      { cwd: dir.path, env },
      ...[...asked, "--target-branch", "main"],
    );
    expect(JSON.parse(stdout)).toEqual(
      body(id("change"), ["@shop/app", "@shop/core", "@shop/ui"]),
    );
    expect(await run({ cwd: dir.path, env }, ...asked)).toMatchObject({
      exitCode: 2,
      stderr:
        "affected: the target branch of the pull request isn't known\nhint: set it: --target-branch main\n",
    });
    expect(await run({ cwd: dir.path, env }, "targets")).toMatchObject({
      exitCode: 2,
      stderr:
        "affected: this run is not for a pull request\nhint: name one: affected targets --pr owner/repo#1 --target-branch main\n",
    });
  });
});
