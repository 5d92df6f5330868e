import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { gitIn, json, tempDir, writeFiles } from "@skein/testing";
import { buildWorkspace, dispatchIn, knownYarn } from "../cli.test.kit.js";
import { reuseOf } from "../history/delivery.js";
import { parsePlan } from "../plan/file/read-plan.js";
import { parseVerdict } from "../verdict/read-verdict.js";

/** The script fails if a file outside of the repository exists, which evidence doesn't compare. */
const scripts = { test: "test ! -e ../../../broken && cat package.json" };

test("main traces units; they aren't run while the files that they read stay the same, and main checks that", async () => {
  await using temp = await tempDir();
  const dir = join(temp.path, "ws");
  buildWorkspace(
    dir,
    { app: { scripts }, lib: { scripts } },
    {
      root: knownYarn,
      changed: ["app"],
      settings: {
        affected: { evidence: "full" },
        dispatch: { recheck: 1, retries: 0, reuse: "never" },
      },
    },
  );
  const payload = join(temp.path, "event.json");
  await writeFiles(temp.path, {
    "event.json": json({ repository: { default_branch: "main" } }),
  });
  const git = (...args: string[]) => gitIn(dir, ...args);
  git("checkout", "--quiet", "main");
  git("clone", "--quiet", "--bare", ".", "../origin.git");
  git("remote", "add", "origin", "../origin.git");
  const run = async (id: string, event: string, ...argv: string[]) => {
    const ended = await dispatchIn(dir, argv, {
      ...{ GITHUB_ACTIONS: "true", GITHUB_RUN_ID: id },
      ...{ GITHUB_EVENT_NAME: event, GITHUB_REF: "refs/heads/main" },
      GITHUB_EVENT_PATH: payload,
    });
    return {
      ...ended,
      stdout: ended.stdout.replaceAll(/\d{4}-\S+Z|[0-9a-f]{12,}/g, "…"),
    };
  };
  const files = ["--plan=../plan.json", "--attestations=../attestations"];
  const plan = async (id: string, event: string) => {
    const { stdout } = await run(
      ...([id, event, "plan", "--since=main", "--committed"] as const),
      ...["--fetch-history", "--environment=inputs", "--output=../plan.json"],
    );
    const made = parsePlan(await readFile(join(dir, "../plan.json"), "utf8"));
    return {
      stdout,
      runs: made.jobs.flatMap((job) => job.units.map(({ whole }) => whole)),
      leftOut: made.reused?.map((unit) => [unit.whole, unit.run, unit.by]),
      traces: made.traces?.packages,
      jobs: made.jobs.map((job) => job.id),
    };
  };
  const judge = async (id: string, event: string, jobs: readonly string[]) => {
    await rm(join(dir, "../attestations"), { recursive: true, force: true });
    for (const job of jobs)
      await run(id, event, "exec", `--job=${job}`, ...files);
    return run(
      ...([id, event, "verdict", ...files] as const),
      ...["--layout=files", "--report=../verdict.json"],
    );
  };
  const append = (id: string) =>
    run(
      ...([id, "push", "history", "append"] as const),
      ...["--verdict=../verdict.json", "--traces=../traces.json"],
    );

  // A pull request records nothing. A push to main does, and its job writes what the job with a token appends.
  expect((await plan("1", "pull_request")).traces).toBeUndefined();
  const first = await plan("2", "push");
  expect(first.traces).toEqual(["app", "lib"]);
  expect(first.stdout).toContain(
    "traces of 2 packages are recorded for test, after the verdict\n",
  );
  const traced = await run(
    ...(["2", "push", "trace", "--plan=../plan.json"] as const),
    "--output=../traces.json",
  );
  expect([traced.exitCode, traced.stderr + traced.stdout]).toEqual([
    0,
    expect.stringMatching(/^2 of 2 units have evidence now$/m),
  ]);
  expect((await judge("2", "push", [])).exitCode).toBe(0);
  expect((await append("2")).exitCode).toBe(0);
  await rm(join(dir, "../traces.json"));
  expect(
    git("ls-tree", "--name-only", "refs/remotes/origin/ci-history"),
  ).toMatch(/^traces-\S+-2\.json\.gz$/m);

  git("checkout", "--quiet", "change");
  const second = await plan("3", "pull_request");
  expect(second).toMatchObject({
    runs: [],
    leftOut: [["app#test", "2", "trace"]],
  });
  expect((await judge("3", "pull_request", [])).stdout).toBe(
    "skipped app#test: passed under trace in run 2, at commit …, …, and nothing that it read has changed\ngreen: 1 reused (0 ms of scripts, plan …)\n",
  );

  // On main, it runs nevertheless. It depends on something that no trace shows.
  await writeFiles(temp.path, { broken: "" });
  const checked = await plan("4", "push");
  expect(checked).toMatchObject({ runs: ["app#test"], traces: undefined });
  const red = await judge("4", "push", checked.jobs);
  expect(red.exitCode).toBe(1);
  expect(red.stdout).toContain(
    "checked: app#test: passed under trace in run 2, and nothing that it read has changed; run anyway, to check the evidence\n",
  );
  expect(red.stdout).toContain(
    "false hit: app#test failed, and passed under trace in run 2 at commit …, since when nothing that it read has changed. ",
  );
  // The metrics count it apart from the false hits of fingerprints.
  const verdict = parseVerdict(
    await readFile(join(dir, "../verdict.json"), "utf8"),
  );
  expect(
    reuseOf(verdict, { repository: "o/r", run: "4", at: 0 }),
  ).toMatchObject([
    {
      ...{ checked: 0, falseHits: [], falseHitFields: [] },
      ...{ evidenceChecked: 1, wrongEvidence: ["app#test"] },
    },
  ]);
  expect((await append("4")).exitCode).toBe(0);
  await rm(join(temp.path, "broken"));
  expect((await plan("5", "pull_request")).runs).toEqual(["app#test"]);
});
