import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { buildHistory, gitIn, gitTestEnv, suiteDir } from "@skein/testing";
import { dispatchIn, program } from "../cli.test.kit.js";
import { eventsOf } from "../history/record.js";
import type { LaunchState } from "../launch.js";
import { sealed } from "../verdict/judge.test.kit.js";
import { planFor, startLegs } from "../launch/legs.test.kit.js";
import type { Leg, Legs } from "../launch/legs.test.kit.js";
import type { Verdict } from "../verdict.js";
import { launchIn, target } from "./launch.test.kit.js";

const JOBS = { a: ["passes"], b: ["fails"], c: ["dies", "passes"] } as const;
const LIST = "GET /repos/{owner}/{repo}/actions/workflows/{workflow_id}/runs";
const DISPATCH =
  "POST /repos/{owner}/{repo}/actions/workflows/{workflow_id}/dispatches";

const temp = await suiteDir(afterAll);
let head: string;
let count = 0;
beforeAll(async () => {
  await mkdir(join(temp, "repo"));
  buildHistory(join(temp, "repo"), [
    { files: { "a.txt": "1\n" } },
    { branch: "topic", from: "main", files: { "a.txt": "2\n" } },
  ]);
  head = gitIn(join(temp, "repo"), "rev-parse", "topic").trim();
});

/** Starts a GitHub, and creates a folder with the plan. */
async function world(spec: Readonly<Record<string, readonly Leg[]>> = JOBS) {
  const legs = await startLegs(join(temp, "repo"), spec);
  const dir = join(temp, String(count++));
  await mkdir(dir);
  const plan = sealed({ ...planFor(spec), head });
  await writeFile(join(dir, "plan.json"), JSON.stringify(plan));
  return {
    ...legs,
    dir,
    plan: plan.id,
    env: { GITHUB_API_URL: legs.github.url, GITHUB_TOKEN: "x" },
    state: async () =>
      JSON.parse(
        await readFile(join(dir, "launch.json"), "utf8"),
      ) as LaunchState,
  };
}

const ARGS = [
  "--workflow=job.yml",
  "--ref=main",
  "--repo=octo/app",
  "--interval=1",
  "--lost-after=8",
];

const RED = /\nred: 1 passed, 1 recovered, 1 failed, 1 planned skip /;

test.each<[string, (legs: Legs) => void]>([
  ["a server that returns the run's id", () => undefined],
  [
    "a server that doesn't support return_run_details",
    ({ repository }) => {
      repository.dispatching.runDetails = false;
    },
  ],
  [
    "runs that appear two looks later, without their ids",
    ({ repository }) => {
      Object.assign(repository.dispatching, {
        runDetails: false,
        appearsAfter: 2,
      });
    },
  ],
  [
    "an answer that gets lost behind the start",
    ({ github }) =>
      github.fail({ operation: DISPATCH, fault: { kind: "cut-body" } }),
  ],
  [
    "a list of which only the first run comes",
    ({ github }) =>
      github.fail({
        operation: LIST,
        times: 3,
        fault: { kind: "cut-list", keep: 1 },
      }),
  ],
])(
  "%s: every job runs as often as necessary, and is judged",
  async (_, make) => {
    await using it = await world();
    make(it);
    const { exitCode, stdout, stderr } = await launchIn(it);
    expect(stderr).not.toContain("ci-dispatch:");
    expect(stdout).toMatch(RED);
    expect(stdout).toMatch(/^failed +test +b#test /m);
    expect(exitCode).toBe(1);
    expect(it.started()).toEqual({ a: 1, b: 1, c: 2 });
  },
);

test("without retries, a failed machine is red, and the verdict suggests a remedy", async () => {
  await using it = await world();
  const { exitCode, stdout } = await launchIn(it, {
    target: { ...target, retries: 0 },
  });
  expect(stdout).toMatch(/\nred: 1 passed, 1 failed, 1 missing, /);
  expect(exitCode).toBe(1);
  expect(it.started()).toEqual({ a: 1, b: 1, c: 1 });
});

test("all jobs are lost and one never starts: units without an attestation are red, and no run continues", async () => {
  await using it = await world({ a: ["dies"], b: ["never starts"] });
  const start = Date.now();
  let calls = 0;
  // The clock advances by ten minutes with each call.
  const now = () => start + calls++ * 600_000;
  const { exitCode, stdout, stderr } = await launchIn(it, {}, now);
  expect(stdout).toMatch(/\nred: 2 missing, /);
  expect(stderr).toContain(
    "everything was cancelled: not finished within 60 minutes\n",
  );
  expect(exitCode).toBe(3);
  const runs = it.repository.runs.filter(({ inputs }) => "job" in inputs);
  expect(runs.map(({ status }) => status)).toEqual(runs.map(() => "completed"));
});

test("everything is cancelled if the commit is superseded", async () => {
  await using it = await world({ a: ["never starts"], b: ["never starts"] });
  const whileHead = "topic";
  const watching = launchIn(it, { whileHead });
  while (it.github.count(LIST) < 3) await sleep(5);
  gitIn(join(temp, "repo"), "branch", "--force", "topic", "main");
  const { exitCode, stderr } = await watching;
  gitIn(join(temp, "repo"), "branch", "--force", "topic", head);
  expect(stderr).toContain(
    `everything was cancelled: topic is no longer at ${head}\n`,
  );
  expect(exitCode).toBe(3);
  expect(
    it.repository.runs.slice(1).map(({ conclusion }) => conclusion),
  ).toEqual(["cancelled", "cancelled"]);
});

test("launch --no-watch starts the runs, and watch continues; a second watch fails with the first one's process, and changes nothing", async () => {
  await using it = await world();
  const started = await launchIn(it, { watch: false });
  expect(started).toEqual({
    exitCode: 0,
    stdout: "",
    stderr: expect.stringMatching(
      /requested 3 jobs; `ci-dispatch watch` waits for them\n$/,
    ) as unknown,
  });
  const slow = launchIn(it, { target: undefined, interval: 0.2 });
  const lock = join(it.dir, "launch.json.lock");
  while (!existsSync(lock)) await sleep(5);
  const { pid } = JSON.parse(await readFile(lock, "utf8")) as { pid: number };
  const second = await launchIn(it, { target: undefined });
  expect(second).toEqual({
    exitCode: 3,
    stdout: "",
    stderr: `ci-dispatch: ${lock}: another dispatcher is running this launch: process ${pid} of ${hostname()}
hint: wait for it, or end it and run this again; if no such process exists, remove the file
`,
  });
  const watched = await slow;
  expect(watched.stdout).toMatch(RED);
  expect(it.started()).toEqual({ a: 1, b: 1, c: 2 });
  expect((await readdir(it.dir)).sort()).toEqual([
    "attestations",
    "launch.json",
    "plan.json",
  ]);
});

test("`watch` continues after the program was killed", async () => {
  await using it = await world();
  const child = spawn(program, ["launch", ...ARGS], {
    cwd: it.dir,
    env: { ...gitTestEnv, ...it.env },
    stdio: "ignore",
  });
  while (it.github.requests.length < 4) await sleep(5);
  child.kill("SIGKILL");
  await once(child, "exit");
  const { exitCode, stdout } = await dispatchIn(
    it.dir,
    ["watch", "--interval=1", "--lost-after=8"],
    it.env,
  );
  expect(stdout).toMatch(RED);
  expect(exitCode).toBe(1);
  expect(it.started()).toEqual({ a: 1, b: 1, c: 2 });
});

test("Ctrl-C cancels every run that hasn't ended", async () => {
  await using it = await world({ a: ["never starts"], b: ["never starts"] });
  const child = spawn(program, ["launch", ...ARGS], {
    cwd: it.dir,
    env: { ...gitTestEnv, ...it.env },
    stdio: "ignore",
  });
  while (it.repository.runs.length < 3) await sleep(20);
  child.kill("SIGINT");
  const [code] = (await once(child, "exit")) as [number];
  expect(code).toBe(3);
  expect(
    it.repository.runs.slice(1).map(({ conclusion }) => conclusion),
  ).toEqual(["cancelled", "cancelled"]);
});

test("a refused request is reported, and its job stays planned; the state of another launch is refused", async () => {
  await using it = await world();
  const fault = { kind: "missing-permission" } as const;
  it.github.fail({ operation: DISPATCH, times: 3, fault });
  const refused = await launchIn(it);
  expect(refused.stderr).toContain("does not permit this with the token");
  expect(refused.exitCode).toBe(3);
  expect(it.started()).toEqual({});
  const { jobs } = await it.state();
  expect(jobs.map(({ phase }) => phase)).toEqual(jobs.map(() => "planned"));
  const other = await launchIn(it, { target: { ...target, ref: "topic" } });
  expect(other.stderr).toContain(
    "launch.json: this state is for the ref main, not topic",
  );
  expect(other.exitCode).toBe(2);
  const none = await launchIn(it, { target: undefined, state: "no.json" });
  expect(none.stderr).toContain("no.json: there is no launch to watch");
  expect(none.exitCode).toBe(2);
});

test("a run gets the inputs of its job, and those of --input", async () => {
  await using it = await world({ a: ["passes"] });
  const inputs = { "plan-run": "7" };
  await launchIn(it, { target: { ...target, inputs } });
  expect(it.repository.runs.at(-1)?.inputs).toEqual({
    id: `a of ${it.plan}`,
    job: "a",
    machine: "1",
    plan: it.plan,
    "plan-run": "7",
  });
  const bad = await dispatchIn(it.dir, ["launch", ...ARGS, "--input=job=b"]);
  expect(bad.stderr).toContain("the input job is always sent");
  expect(bad.exitCode).toBe(2);
});

test("--json prints each event as a line, then the verdict; a lost machine is in its file, its Markdown and the history", async () => {
  await using it = await world({ a: ["passes"], c: ["dies", "passes"] });
  const summary = join(it.dir, "summary.md");
  const { exitCode, stdout, stderr } = await launchIn(
    { dir: it.dir, env: { ...it.env, GITHUB_STEP_SUMMARY: summary } },
    { json: true, report: "verdict.json" },
  );
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  const events = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  const [, runOfC] = it.repository.runs.slice(1).map(({ id }) => id);
  const reported = events.map(({ at, version, ...event }) => {
    expect([version, new Date(String(at)).toISOString()]).toEqual([1, at]);
    return event;
  });
  const lost = `run ${runOfC ?? ""} ended as failure and published no attestation`;
  expect(reported.filter(({ job }) => job === "c")).toEqual([
    { kind: "asked", job: "c", machine: 1, again: false },
    { kind: "running", job: "c", run: runOfC },
    { kind: "lost", job: "c", machine: 1, why: lost },
    { kind: "retried", job: "c", conclusion: "failure" },
    { kind: "asked", job: "c", machine: 2, again: true },
    { kind: "running", job: "c", run: runOfC },
    { kind: "ended", job: "c", conclusion: "success" },
  ]);
  const verdict = JSON.parse(
    await readFile(join(it.dir, "verdict.json"), "utf8"),
  ) as Verdict;
  expect(reported.at(-1)).toEqual({ kind: "judged", verdict });
  const evidence = `attempt 1: ${lost}`;
  expect(verdict).toMatchObject({
    colour: "green",
    counts: { passed: 1, recovered: 1 },
    units: [
      { id: "a#test", state: "passed", failure: null },
      {
        id: "c#test",
        state: "recovered",
        failure: { class: "infrastructure", evidence: [evidence] },
      },
    ],
  });
  const markdown = await readFile(summary, "utf8");
  expect(markdown).toContain("### ✅ green: 1 passed, 1 recovered");
  expect(markdown).toContain(
    `| recovered | infrastructure | \`c#test\` | \`c\` | ${evidence} |`,
  );
  expect(
    eventsOf(verdict, "2026-01-01T00:00:00.000Z").map((event) => [
      event.unit,
      event.verdict,
    ]),
  ).toEqual([
    ["a#test", "passed"],
    ["c#test", "recovered"],
  ]);
});
