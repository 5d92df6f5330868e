import { expect, test } from "@jest/globals";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { buildHistory, startFakeGitHub, tempDir } from "@skein/testing";
import type { FakeRun } from "@skein/testing";
import { planFor } from "../launch/legs.test.kit.js";
import { attest, passed, sealed } from "../verdict/judge.test.kit.js";
import { launchIn } from "./launch.test.kit.js";

const ACTIONS = "/repos/{owner}/{repo}/actions";
const LIST = `GET ${ACTIONS}/workflows/{workflow_id}/runs`;
const JOBS = 300;
/** The number of runs that end between two polls. */
const EACH = 20;

test("300 jobs, 20 of which end between two polls, need fewer than the 1,000 requests per hour of a GITHUB_TOKEN", async () => {
  await using temp = await tempDir();
  await mkdir(join(temp.path, "repo"));
  buildHistory(join(temp.path, "repo"), [{ files: { "a.txt": "" } }]);
  await using github = await startFakeGitHub({
    before(operation, url) {
      const isLook = operation === LIST && url.searchParams.get("page") === "1";
      if (!isLook || !url.searchParams.has("event")) return;
      const open = repository.runs.filter(({ status }) => status === "queued");
      for (const run of open.slice(0, EACH)) end(run);
    },
  });
  const repository = github.addRepository("octo/app", {
    dir: join(temp.path, "repo"),
  });
  github.addRun(repository, {
    headSha: "0".repeat(40),
    path: ".github/workflows/job.yml",
    event: "workflow_dispatch",
  });
  function end(run: FakeRun): void {
    const { job = "", plan = "" } = run.inputs;
    const { attestation } = attest(job, [passed(`${job}#test`)], { plan });
    Object.assign(run, { status: "completed", conclusion: "success" });
    github.addArtifact(run, {
      name: "ci-dispatch-attestation",
      files: { "a.json": JSON.stringify(attestation) },
    });
  }
  const names = Array.from({ length: JOBS }, (_, index) => `j${index}`);
  const plan = sealed(
    planFor(Object.fromEntries(names.map((name) => [name, []]))),
  );
  await writeFile(join(temp.path, "plan.json"), JSON.stringify(plan));
  // The rate limit's hour is over, so the launcher doesn't wait.
  Object.assign(github.rateLimit, { limit: 1000, remaining: 1000, reset: 0 });

  const { exitCode, stdout } = await launchIn({
    dir: temp.path,
    env: { GITHUB_API_URL: github.url, GITHUB_TOKEN: "x" },
  });
  expect(stdout).toMatch(/^green: 300 passed, /);
  expect(exitCode).toBe(0);
  const counted = new Map<string, number>();
  for (const { operation, status } of github.requests)
    if (status !== 304 && !operation.includes("_store"))
      counted.set(operation, (counted.get(operation) ?? 0) + 1);
  const looks = JOBS / EACH;
  expect(Object.fromEntries(counted)).toEqual({
    [`POST ${ACTIONS}/workflows/{workflow_id}/dispatches`]: JOBS,
    [`GET ${ACTIONS}/artifacts/{artifact_id}/{archive_format}`]: JOBS,
    [`GET ${ACTIONS}/artifacts`]: looks,
    // One request for the newest run before the launch, and for each look the pages that have changed.
    [LIST]: 19,
  });
  expect(1000 - github.rateLimit.remaining).toBe(634);
});
