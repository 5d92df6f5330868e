import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { buildHistory, gitIn, startFakeGitHub, suiteDir } from "@skein/testing";
import { openGitHub } from "./github.js";

const octo = { owner: "octo", name: "app" };
const HEAD = "0".repeat(40);

const dir = await suiteDir(afterAll);
beforeAll(() => {
  buildHistory(dir, [{ files: { start: "" } }]);
});

async function world() {
  const fake = await startFakeGitHub();
  return {
    fake,
    repository: fake.addRepository("octo/app", { dir: dir }),
    github: openGitHub({ baseUrl: fake.url, second: 1 }),
    [Symbol.asyncDispose]: () => fake[Symbol.asyncDispose](),
  };
}

test("an unchanged list costs no request and is the same", async () => {
  await using it = await world();
  const run = it.fake.addRun(it.repository, { headSha: HEAD });
  const read = async () => {
    const pages = it.github.workflowRuns(octo, {
      workflow: "ci.yml",
      since: run.createdAt,
    });
    for await (const page of pages) return page.map(({ status }) => status);
    return [];
  };
  const reads = [await read(), await read()];
  run.status = "in_progress";
  reads.push(await read());
  it.fake.addRun(it.repository, { headSha: HEAD });
  reads.push(await read());
  expect(reads).toEqual([
    ["completed"],
    ["completed"],
    ["in_progress"],
    ["completed", "in_progress"],
  ]);
  expect(it.fake.requests.map(({ status }) => status)).toEqual([
    200, 304, 200, 200,
  ]);
  expect(it.fake.rateLimit.remaining).toBe(5000 - 3);
});

test("one run, its artifacts, and a missing run", async () => {
  await using it = await world();
  const run = it.fake.addRun(it.repository, { headSha: HEAD });
  expect(await it.github.workflowRun(octo, run.id)).toMatchObject({
    id: run.id,
    status: "completed",
  });
  expect(await it.github.workflowRun(octo, 1)).toBeUndefined();
  const kept = it.fake.addArtifact(run, {
    name: "attestation",
    files: { "a.json": "{}" },
  });
  const [artifact] = await it.github.artifacts(octo, run.id);
  expect(artifact).toEqual({
    id: kept.id,
    run: run.id,
    name: "attestation",
    size: kept.archive.length,
    expired: false,
    created: run.updatedAt,
  });
  expect(await it.github.artifacts(octo, run.id, "attest")).toEqual([]);
  expect(await it.github.artifact(octo, kept.id)).toEqual(kept.archive);
  kept.expired = true;
  await expect(it.github.artifact(octo, kept.id)).rejects.toMatchObject({
    kind: "not-found",
  });
});

test("a run's pull requests, its workflow file, and the root folder of its commit", async () => {
  await using it = await world();
  const [commit = ""] = gitIn(dir, "rev-parse", "HEAD").split("\n");
  it.fake.addRun(it.repository, { headSha: commit, pulls: [7, 8] });
  const read = async (pulls: boolean) => {
    const pages = it.github.workflowRuns(octo, { workflow: "ci.yml", pulls });
    const { value } = await pages.next();
    const [run] = value ?? [];
    return [run?.path, run?.pulls];
  };
  expect([await read(true), await read(false)]).toEqual([
    [".github/workflows/ci.yml", [7, 8]],
    [".github/workflows/ci.yml", undefined],
  ]);
  const idOf = (name: string) => it.github.topEntry(octo, { commit, name });
  expect([await idOf("start"), await idOf("gone")]).toEqual([
    gitIn(dir, "rev-parse", "HEAD:start").trim(),
    undefined,
  ]);
});
