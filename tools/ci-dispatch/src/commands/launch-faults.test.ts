import { expect, test } from "@jest/globals";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { gitTestEnv, startFakeGitHub, tempDir } from "@skein/testing";
import type { FakeGitHub, FakeRun } from "@skein/testing";
import {
  buildWorkspace,
  dispatchIn,
  knownYarn,
  program,
} from "../cli.test.kit.js";
import { launchIn, target } from "./launch.test.kit.js";

const RUNS = "/repos/{owner}/{repo}/actions/runs/{run_id}";
const LIST = "GET /repos/{owner}/{repo}/actions/workflows/{workflow_id}/runs";
const DISPATCH =
  "POST /repos/{owner}/{repo}/actions/workflows/{workflow_id}/dispatches";

/** A script that fails on its first run, and passes afterwards. */
const FLAKY =
  'const fs = require("fs"); if (!fs.existsSync("ran")) { fs.writeFileSync("ran", ""); process.exit(1); }\n';
/** A script that writes its process id and waits to be killed on its first run, and passes afterwards. */
const SPOT =
  'const fs = require("fs"); if (!fs.existsSync("pid")) { fs.writeFileSync("pid.new", String(process.pid)); fs.renameSync("pid.new", "pid"); setInterval(() => {}, 1000); }\n';

async function world() {
  const temp = await tempDir();
  const dir = join(temp.path, "ws");
  const packages = {
    broken: { scripts: { test: "exit 1" } },
    flaky: { scripts: { test: "node flaky.js" } },
    green: { scripts: { test: "echo fine" } },
    spot: { scripts: { test: "node spot.js" } },
    untouched: { scripts: { test: "exit 1" } },
    vanishing: { scripts: { test: "echo fine" } },
  };
  buildWorkspace(dir, packages, {
    changed: Object.keys(packages).filter((name) => name !== "untouched"),
    files: {
      "packages/flaky/flaky.js": FLAKY,
      "packages/spot/spot.js": SPOT,
    },
    settings: { dispatch: { onePackagePerJob: true } },
    root: knownYarn,
  });
  const made = await dispatchIn(dir, "plan --base=main --output=../plan.json");
  expect(made).toMatchObject({ exitCode: 0 });
  const github = await startFakeGitHub();
  // The rate limit's hour is over, so the launcher doesn't wait.
  github.rateLimit.reset = 0;
  const repository = github.addRepository("octo/app", { dir });
  github.addRun(repository, {
    headSha: "0".repeat(40),
    path: ".github/workflows/job.yml",
  });
  return {
    temp: temp.path,
    dir,
    github,
    repository,
    /** Packages whose mishap has happened. It happens once for each. */
    struck: new Set<string>(),
    async [Symbol.asyncDispose]() {
      await github[Symbol.asyncDispose]();
      await temp[Symbol.asyncDispose]();
    },
  };
}
type World = Awaited<ReturnType<typeof world>>;

/** Runs jobs for real, as their workflow would, and uploads their attestations, until the signal is aborted. */
async function runLegs(it: World, signal: AbortSignal): Promise<void> {
  const legs: Promise<void>[] = [];
  while (!signal.aborted) {
    for (const run of it.repository.runs) {
      if (run.status !== "queued" || !("job" in run.inputs)) continue;
      run.status = "in_progress";
      legs.push(runLeg(it, run));
    }
    await sleep(10);
  }
  await Promise.all(legs);
}

async function runLeg(
  { temp, dir, github, repository, struck }: World,
  run: FakeRun,
): Promise<void> {
  const { job = "", machine = "" } = run.inputs;
  const folder = join(temp, "legs", String(run.id));
  const args = [
    "exec",
    "--plan=../plan.json",
    `--job=${job}`,
    `--machine=${machine}`,
    `--attestations=${folder}`,
  ];
  const env = { GITHUB_RUN_ATTEMPT: String(run.runAttempt) };
  const strikes = async (name: string) =>
    (await jobOf(temp, name)) === job &&
    !struck.has(name) &&
    struck.add(name).has(name);
  const code = (await strikes("spot"))
    ? await killed(dir, args, env)
    : (await dispatchIn(dir, args, env)).exitCode;
  if (await strikes("vanishing")) {
    // A run that no list has shown can't be missed. It stays until it was in a list that no fault has affected.
    while (
      !repository.dispatching.runDetails &&
      run.appearsAfter > -LIST_FAULTS
    )
      await sleep(10);
    repository.runs.splice(repository.runs.indexOf(run), 1);
    return;
  }
  // A machine that is gone uploads nothing.
  if (code !== null) await upload(github, run, folder);
  run.status = "completed";
  run.conclusion = code === 0 ? "success" : "failure";
}

/** Starts a job on a machine that is taken away, which leaves no process behind. */
async function killed(
  dir: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<null> {
  const child = spawn(program, args, {
    cwd: dir,
    env: { ...gitTestEnv, ...env },
    stdio: "ignore",
  });
  const exit = once(child, "exit") as Promise<[number | null]>;
  const pid = join(dir, "packages/spot/pid");
  while (!existsSync(pid)) await sleep(10);
  child.kill("SIGKILL");
  process.kill(Number(await readFile(pid, "utf8")), "SIGKILL");
  const [code] = await exit;
  if (code !== null) throw new Error("it had ended before it was killed");
  return code;
}

async function upload(
  github: FakeGitHub,
  run: FakeRun,
  folder: string,
): Promise<void> {
  const names = await readdir(folder);
  const files = await Promise.all(
    names.map(async (name) => [name, await readFile(join(folder, name))]),
  );
  github.addArtifact(run, {
    name: `ci-dispatch-attestation-${run.inputs["job"] ?? ""}`,
    files: Object.fromEntries(files) as Record<string, Buffer>,
  });
}

/** Returns the plan's job that contains a package. */
async function jobOf(temp: string, name: string): Promise<string | undefined> {
  const { jobs } = JSON.parse(
    await readFile(join(temp, "plan.json"), "utf8"),
  ) as { jobs: { id: string; units: { workspace: string }[] }[] };
  return jobs.find(({ units }) => units[0]?.workspace === name)?.id;
}

/** The maximum number of lists that the faults below affect. */
const LIST_FAULTS = 9;

/** Adds all faults that GitHub and the network can cause. */
function allFaults(github: FakeGitHub): void {
  const fail = (
    operation: string,
    ...faults: Parameters<FakeGitHub["fail"]>[0]["fault"][]
  ) => {
    for (const fault of faults) github.fail({ operation, fault });
  };
  fail(
    DISPATCH,
    { kind: "secondary-limit", retryAfter: 1 },
    { kind: "too-many-requests", retryAfter: 2 },
    { kind: "status", status: 500 },
    { kind: "status", status: 502 },
    { kind: "reset" },
    { kind: "cut-body" },
    { kind: "slow", ms: 50 },
  );
  // The first list is that of earlier runs.
  fail(LIST, { kind: "status", status: 502 });
  fail(
    LIST,
    { kind: "status", status: 500 },
    { kind: "rate-limit", resetIn: 1 },
    { kind: "cut-list", keep: 1 },
    { kind: "cut-list", keep: 0 },
    { kind: "cut-body" },
    { kind: "not-json" },
    { kind: "reset" },
    { kind: "slow", ms: 50 },
  );
  fail(`GET ${RUNS}`, { kind: "status", status: 502 });
  fail(
    `GET ${RUNS}/artifacts`,
    { kind: "status", status: 500 },
    { kind: "cut-body" },
    { kind: "cut-list", keep: 0 },
  );
  fail(
    "GET /repos/{owner}/{repo}/actions/artifacts/{artifact_id}/{archive_format}",
    { kind: "reset" },
    { kind: "too-many-requests", retryAfter: 1 },
  );
}

test.each([
  ["a server that returns run ids", true, 0],
  [
    "one that rejects return_run_details, and whose lists lag behind by two looks",
    false,
    2,
  ],
])(
  "with all faults, on %s: a flaky, a broken, a killed, a vanished and an unaffected package",
  async (_, runDetails, appearsAfter) => {
    await using it = await world();
    Object.assign(it.repository.dispatching, { runDetails, appearsAfter });
    allFaults(it.github);
    const stop = new AbortController();
    const legs = runLegs(it, stop.signal);
    const { exitCode, stdout, stderr } = await launchIn(
      {
        dir: it.temp,
        env: { GITHUB_API_URL: it.github.url, GITHUB_TOKEN: "x" },
      },
      { target: { ...target, retries: 1 }, interval: 0.2, lostAfter: 6 },
    ).finally(() => {
      stop.abort();
    });
    await legs;
    const states = [...stdout.matchAll(/^(\w+) +(\w+) +(\w+)#test /gm)].map(
      ([, state, kind, name]) =>
        `${name ?? ""}: ${state ?? ""} (${kind ?? ""})`,
    );
    expect({ states: states.sort(), stderr }).toEqual({
      states: [
        "broken: failed (test)",
        "flaky: flaky (flaky)",
        "spot: recovered (infrastructure)",
        "vanishing: recovered (infrastructure)",
      ],
      stderr: expect.not.stringContaining("ci-dispatch:") as unknown,
    });
    expect(stdout).toMatch(
      /\nred: 1 passed, 1 flaky, 2 recovered, 1 failed \(/,
    );
    expect(exitCode).toBe(1);
    /** Returns the number of attempts of each run of a package's job. */
    const runsOf = async (name: string) => {
      const job = await jobOf(it.temp, name);
      return it.repository.runs
        .filter(({ inputs }) => inputs["job"] === job)
        .map(({ runAttempt }) => runAttempt);
    };
    // The run that vanished isn't in the list.
    expect({
      broken: await runsOf("broken"),
      flaky: await runsOf("flaky"),
      green: await runsOf("green"),
      spot: await runsOf("spot"),
      vanishing: await runsOf("vanishing"),
    }).toEqual({
      broken: [1],
      flaky: [1],
      green: [1],
      spot: [2],
      vanishing: [1],
    });
  },
  120_000,
);
