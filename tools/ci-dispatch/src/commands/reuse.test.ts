import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { gitIn, tempDir, writeFiles } from "@skein/testing";
import { buildWorkspace, dispatchIn, knownYarn } from "../cli.test.kit.js";
import { reuseOf } from "../history/delivery.js";
import { parsePlan } from "../plan/file/read-plan.js";
import { parseVerdict } from "../verdict/read-verdict.js";

/** The script fails if a file outside of the workspace exists, which no fingerprint can detect. */
const scripts = { test: "test ! -e ../../../broken" };

test("results of a trusted run are reused under the same fingerprint, and a share of them is checked", async () => {
  await using temp = await tempDir();
  const dir = join(temp.path, "ws");
  buildWorkspace(
    dir,
    {
      app: { scripts, dependencies: { lib: "workspace:*" } },
      lib: { scripts },
      other: { scripts },
    },
    {
      root: knownYarn,
      // In pushes, all units are rechecked.
      settings: { dispatch: { recheck: 1, retries: 0 } },
    },
  );
  const git = (...args: string[]) => gitIn(dir, ...args);
  git("clone", "--quiet", "--bare", ".", "../origin.git");
  git("remote", "add", "origin", "../origin.git");
  const env = (run: string, event = "pull_request") => ({
    GITHUB_ACTIONS: "true",
    GITHUB_RUN_ID: run,
    GITHUB_EVENT_NAME: event,
  });
  const plan = async (
    run: Record<string, string>,
    environment = "inputs of the workflow",
  ) => {
    const { exitCode, stderr } = await dispatchIn(
      dir,
      [
        ...["plan", "--since=main", "--committed", "--fetch-history"],
        ...[`--environment=${environment}`, "--output=../plan.json"],
      ],
      run,
    );
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
    const made = parsePlan(await readFile(join(dir, "../plan.json"), "utf8"));
    return {
      runs: made.jobs.flatMap((job) => job.units.map(({ whole }) => whole)),
      why: made.jobs
        .flatMap((job) => job.units)
        .sort((a, b) => (a.id < b.id ? 1 : -1))
        .map(({ notReused }) => notReused),
      reused: (made.reused ?? []).map(({ whole, run: by }) => [whole, by]),
      jobs: made.jobs.map(({ id }) => id),
    };
  };
  const judge = async (run: Record<string, string>, jobs: string[]) => {
    await rm(join(dir, "../attestations"), { recursive: true, force: true });
    const at = ["--plan=../plan.json", "--attestations=../attestations"];
    for (const job of jobs)
      await dispatchIn(dir, ["exec", `--job=${job}`, ...at], run);
    const options = ["--layout=files", "--report=../verdict.json"];
    return dispatchIn(dir, ["verdict", ...at, ...options], run);
  };
  const everything = ["app#test", "lib#test", "other#test"];

  const first = await plan(env("1"));
  expect([first.runs.sort(), first.reused]).toEqual([everything, []]);
  expect((await judge(env("1"), first.jobs)).exitCode).toBe(0);
  const append = ["history", "append", "--verdict=../verdict.json"];
  const appended = await dispatchIn(dir, [...append, "--anywhere"], env("1"));
  expect(appended.exitCode).toBe(0);

  const second = await plan(env("2"));
  expect([second.runs, second.reused.sort()]).toEqual([
    [],
    everything.map((whole) => [whole, "1"]),
  ]);
  const { stdout, exitCode } = await judge(env("2"), []);
  expect([
    exitCode,
    stdout.replaceAll(/\d{4}-\S+Z|[0-9a-f]{12,}/g, "…"),
  ]).toEqual([
    0,
    "reused 3 units (app#test, lib#test, other#test): run 1 judged the same tree green, at commit …, …\ngreen: 3 reused (0 ms of scripts, plan …)\n",
  ]);
  // A re-run of the run itself, and a run with other workflow inputs, reuse nothing.
  expect((await plan(env("1"))).reused).toEqual([]);
  expect((await plan(env("3"), "others")).reused).toEqual([]);

  // On the default branch, the units run nevertheless. If one fails now, it depends on something that isn't in its
  // fingerprint.
  await writeFiles(temp.path, { broken: "" });
  const checked = await plan(env("4", "push"));
  expect([checked.runs.length, checked.reused]).toEqual([3, []]);
  const red = await judge(env("4", "push"), checked.jobs);
  expect(red.exitCode).toBe(1);
  expect(red.stdout).toContain(
    "checked: 3 units (app#test, lib#test, other#test): passed in run 1 under the same fingerprint; run anyway, to check the fingerprint\n",
  );
  expect(red.stdout.replaceAll(/[0-9a-f]{12}/g, "…")).toContain(
    "false hit: lib#test failed, and passed in run 1 at commit … under the same fingerprint; its fields are the same: format, unit, files, externals, root, dependencies, everything, variables, environment, machine. ",
  );
  const verdict = parseVerdict(
    await readFile(join(dir, "../verdict.json"), "utf8"),
  );
  expect(verdict.units.map(({ fingerprint }) => fingerprint)).toEqual([
    undefined,
    undefined,
    undefined,
  ]);

  // The metrics record under which fields.
  const [reuse] = reuseOf(verdict, { repository: "o/r", run: "4", at: 0 });
  expect(reuse).toMatchObject({
    falseHits: everything,
    falseHitFields: verdict.units.map(({ whole, fields = {} }) => ({
      unit: whole,
      fields: Object.entries(fields).map(([name, hash]) => ({ name, hash })),
    })),
  });

  // A unit that depends on something else isn't reused again, although it passed before.
  await dispatchIn(dir, [...append, "--anywhere"], env("4", "push"));
  await rm(join(temp.path, "broken"));
  const after = await plan(env("5"));
  expect([after.runs.sort(), after.why]).toEqual([
    everything,
    everything.map(() => ({ kind: "failed", run: "4" })),
  ]);

  await writeFiles(dir, { "packages/lib/index.js": "3\n" });
  git("commit", "--quiet", "--all", "--message=Another change");
  expect((await plan(env("6"))).why).toEqual([
    { kind: "failed", run: "4" },
    expect.objectContaining({ kind: "changed", field: "files" }),
    expect.objectContaining({ kind: "changed", field: "dependencies" }),
  ]);
});
