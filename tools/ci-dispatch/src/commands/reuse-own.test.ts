import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import {
  gitIn,
  json,
  startFakeGitHub,
  tempDir,
  writeFiles,
} from "@skein/testing";
import type { DeliveryReport } from "@skein/delivery-metrics";
import { buildWorkspace, dispatchIn, knownYarn } from "../cli.test.kit.js";
import { parsePlan } from "../plan/file/read-plan.js";

const scripts = { test: "true" };

test("the second push of a pull request runs the changed units, and reuses the results of its first run", async () => {
  await using temp = await tempDir();
  const dir = join(temp.path, "ws");
  buildWorkspace(
    dir,
    {
      app: { scripts, dependencies: { lib: "workspace:*" } },
      ids: { scripts: { test: "echo $GITHUB_RUN_ID" } },
      lib: { scripts },
      other: { scripts },
    },
    { root: knownYarn, settings: { dispatch: { retries: 0 } } },
  );
  const git = (...args: string[]) => gitIn(dir, ...args).trim();
  git("clone", "--quiet", "--bare", ".", "../origin.git");
  git("remote", "add", "origin", "../origin.git");

  await using github = await startFakeGitHub();
  const repository = github.addRepository("octo/app", { dir });
  const pull = github.addPull(repository, {
    ...{ number: 7, base: "main", head: "change" },
  });
  const merged = "a".repeat(40);
  await writeFiles(temp.path, {
    "event.json": json({
      pull_request: {
        number: 7,
        created_at: "2026-01-01T00:00:00Z",
        head: { ref: "change", repo: { full_name: "octo/app" } },
      },
    }),
  });
  const at = ["--plan=../plan.json", "--attestations=../attestations"];
  /** Carries out a complete run for HEAD. */
  const push = async () => {
    const run = github.addRun(repository, {
      headSha: git("rev-parse", "HEAD"),
      ...{ headBranch: "change", event: "pull_request", pulls: [7] },
    });
    const env = {
      GITHUB_ACTIONS: "true",
      GITHUB_API_URL: github.url,
      GITHUB_EVENT_NAME: "pull_request",
      GITHUB_EVENT_PATH: join(temp.path, "event.json"),
      GITHUB_REPOSITORY: "octo/app",
      GITHUB_RUN_ID: String(run.id),
      GITHUB_TOKEN: "secret",
      GITHUB_WORKFLOW_REF:
        "octo/app/.github/workflows/ci.yml@refs/pull/7/merge",
    };
    const planned = await dispatchIn(
      dir,
      [
        ...["plan", "--since=main", "--committed", "--fetch-history"],
        "--output=../plan.json",
      ],
      env,
    );
    expect(planned).toMatchObject({ exitCode: 0 });
    const plan = parsePlan(await readFile(join(dir, "../plan.json"), "utf8"));
    await rm(join(dir, "../attestations"), { recursive: true, force: true });
    for (const { id } of plan.jobs)
      await dispatchIn(dir, ["exec", `--job=${id}`, ...at], env);
    const options = ["--layout=files", "--report=../verdict.json"];
    const judged = await dispatchIn(dir, ["verdict", ...at, ...options], env);
    expect(judged.exitCode).toBe(0);
    const kept = github.addArtifact(run, {
      name: "ci-dispatch-verdict",
      files: {
        "verdict.json": await readFile(join(dir, "../verdict.json")),
      },
    });
    const units = plan.jobs
      .flatMap((job) => job.units)
      .sort((a, b) => (a.id < b.id ? -1 : 1));
    return {
      ...{ kept, env, stdout: judged.stdout },
      ...{ id: String(run.id), at: run.updatedAt },
      sha: run.headSha,
      ran: units.map(({ whole }) => whole),
      why: units.map(({ notReused }) => notReused),
      reused: (plan.reused ?? []).map(({ whole, run: by }) => [whole, by]),
    };
  };
  const commit = async (name: string, content: string) => {
    await writeFiles(dir, { [`packages/${name}/index.js`]: content });
    git("commit", "--quiet", "--all", `--message=${name}`);
  };

  const first = await push();
  expect([first.ran, first.reused]).toEqual([
    ["app#test", "ids#test", "lib#test", "other#test"],
    [],
  ]);

  await commit("other", "3\n");
  const second = await push();
  expect(second).toMatchObject({
    ran: ["ids#test", "other#test"],
    why: [
      { kind: "varies", variables: ["GITHUB_RUN_ID"] },
      {
        ...{ kind: "changed", field: "files" },
        since: { commit: first.sha, run: first.id, at: first.at },
      },
    ],
    reused: [
      ["app#test", first.id],
      ["lib#test", first.id],
    ],
  });
  expect(
    second.stdout.replaceAll(/[\d.]+ m?s(?= of scripts)|[0-9a-f]{32}/g, "…"),
  ).toBe(
    [
      `reused 2 units (app#test, lib#test): passed in run ${first.id} under the same fingerprint, at commit ${first.sha.slice(0, 12)}, ${first.at}`,
      "not reused: ids#test: it may read GITHUB_RUN_ID, which differs in each run",
      'not reused: other#test: the field "files" of its fingerprint differs from that of the last passing run',
      "green: 2 passed, 2 reused (… of scripts, plan …)\n",
    ].join("\n"),
  );

  // The first run's artifact has expired, but the second one's verdict contains what it reused.
  first.kept.expired = true;
  await commit("other", "4\n");
  const third = await push();
  expect([third.ran, third.reused]).toEqual([second.ran, second.reused]);

  // After the merge, the default branch records what its run and the pull request's pushes reused.
  pull.mergedAs = merged;
  pull.headSha = third.sha;
  await writeFiles(temp.path, {
    "event.json": json({
      repository: { default_branch: "main" },
      commits: [{ id: "0".repeat(40) }, { id: merged }],
    }),
  });
  const at2026 = (day: string) => ({
    now: () => Date.parse(`2026-${day}T00:00:00Z`),
  });
  const appended = await dispatchIn(
    dir,
    ["history", "append", "--verdict=../verdict.json"],
    {
      ...third.env,
      GITHUB_EVENT_NAME: "push",
      GITHUB_REF: "refs/heads/main",
      GITHUB_RUN_ID: "5000",
    },
    at2026("06-01"),
  );
  expect(appended).toMatchObject({
    exitCode: 0,
    stderr: expect.not.stringContaining("note") as unknown,
  });
  const report = ["metrics", "report", "--window=200d"];
  const ask = (...more: string[]) =>
    dispatchIn(dir, [...report, ...more], third.env, at2026("06-02"));
  const { stdout } = await ask("--json");
  expect((JSON.parse(stdout) as DeliveryReport).reuse).toEqual({
    ...{ runs: 4, units: 6, machineMs: expect.any(Number) as unknown },
    laterPushes: { count: 4, of: 8, rate: 0.5 },
    falseHits: { count: 0, of: 0, rate: null },
    falseHitUnits: [],
    falseHitFields: [],
    wrongEvidence: { count: 0, of: 0, rate: null },
    wrongEvidenceUnits: [],
  });
  expect((await ask()).stdout).toMatch(
    /^reused: 6 units, [\d.]+ machine minutes, over 4 runs; units of later pushes: 50\.0 % \(4 of 8\)\nfalse hits: no unit was checked$/m,
  );
});
