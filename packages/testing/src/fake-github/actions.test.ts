import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { strFromU8, unzipSync } from "fflate";
import { buildHistory } from "../history.js";
import { suiteDir } from "../temp-dir.js";
import { startFakeGitHub } from "./fake-github.js";

const dir = await suiteDir(afterAll);
beforeAll(() => {
  buildHistory(dir, [{ files: { start: "" } }]);
});

async function server() {
  const github = await startFakeGitHub();
  const repository = github.addRepository("octo/app", { dir: dir });
  const run = github.addRun(repository, {
    headSha: "0".repeat(40),
    conclusion: "failure",
  });
  const path = `${github.url}/repos/octo/app/actions`;
  return {
    [Symbol.asyncDispose]: () => github[Symbol.asyncDispose](),
    github,
    repository,
    run,
    get: async (below: string) =>
      (await (await fetch(path + below)).json()) as Record<string, never>,
    post: async (below: string) =>
      (await fetch(path + below, { method: "POST" })).status,
  };
}

test("failed jobs of a run are restarted, and the earlier attempt remains visible", async () => {
  await using world = await server();
  const { github, run, get, post } = world;
  github.addJob(run, { name: "good" });
  github.addJob(run, { name: "bad", conclusion: "failure" });
  const at = `/runs/${run.id}`;
  expect(await post(`${at}/rerun-failed-jobs`)).toBe(201);
  expect(await post(`${at}/rerun`)).toBe(403);
  const jobsOf = async (below: string) =>
    ((await get(below))["jobs"] as unknown as Record<string, unknown>[]).map(
      ({ name, run_attempt, status, conclusion }) => [
        name,
        run_attempt,
        status,
        conclusion,
      ],
    );
  const first = [
    ["good", 1, "completed", "success"],
    ["bad", 1, "completed", "failure"],
  ];
  const second = [["bad", 2, "queued", null]];
  expect(await jobsOf(`${at}/jobs`)).toEqual(second);
  expect(await jobsOf(`${at}/attempts/1/jobs`)).toEqual(first);
  expect(await jobsOf(`${at}/jobs?filter=all`)).toEqual([...first, ...second]);
  expect(await get(at)).toMatchObject({ run_attempt: 2, status: "queued" });
  expect(await get(`${at}/attempts/1`)).toMatchObject({
    run_attempt: 1,
    conclusion: "failure",
  });
  expect(await post(`${at}/cancel`)).toBe(202);
  expect(await post(`${at}/cancel`)).toBe(409);
  expect(await jobsOf(`${at}/jobs`)).toEqual([
    ["bad", 2, "completed", "cancelled"],
  ]);
});

test("an artifact is listed, and another address serves its archive", async () => {
  await using world = await server();
  const { github, run, get } = world;
  const files = { "a/b.txt": "text", "c.bin": new Uint8Array([0, 255]) };
  const artifact = github.addArtifact(run, { name: "out", files });
  github.addArtifact(run, { name: "other", files: {} });
  const listed = await get(`/runs/${run.id}/artifacts?name=out`);
  expect(listed).toMatchObject({
    total_count: 1,
    artifacts: [{ id: artifact.id, name: "out", expired: false }],
  });
  const { archive_download_url: at } = await get(`/artifacts/${artifact.id}`);
  const bytes = new Uint8Array(await (await fetch(String(at))).arrayBuffer());
  const entries = unzipSync(bytes);
  expect(strFromU8(entries["a/b.txt"] ?? new Uint8Array())).toBe("text");
  expect(entries["c.bin"]).toEqual(files["c.bin"]);
  artifact.expired = true;
  expect((await fetch(String(at))).status).toBe(410);
});

test("a run that was deleted doesn't exist; querying the rate limit costs nothing", async () => {
  await using world = await server();
  const { github, repository, run } = world;
  const url = `${github.url}/repos/octo/app/actions/runs/${run.id}`;
  github.rateLimit.remaining = 2;
  expect((await fetch(url)).status).toBe(200);
  repository.runs.pop();
  expect((await fetch(url)).status).toBe(404);
  const left = await (await fetch(`${github.url}/rate_limit`)).json();
  expect(left).toMatchObject({ rate: { limit: 5000, remaining: 0 } });
  expect((await fetch(url)).status).toBe(403);
});
