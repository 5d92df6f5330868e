import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import {
  buildHistory,
  gitTestEnv,
  startFakeGitHub,
  tempDir,
} from "@skein/testing";
import type { FakeGitHub, FakeRepository } from "@skein/testing";
import { dispatchIn } from "../cli.test.kit.js";
import type { LaunchState } from "../launch.js";

const plan = fileURLToPath(
  new URL("../../fixtures/verdict/plan.json", import.meta.url),
);
const bin = fileURLToPath(new URL("../../bin/ci-dispatch.js", import.meta.url));
const DISPATCH =
  "POST /repos/{owner}/{repo}/actions/workflows/{workflow_id}/dispatches";
const JOBS = ["app-e2e", "app-lint", "packages-1", "packages-2"];

let temp: string;
let dispose: () => Promise<void>;
let count = 0;
beforeAll(async () => {
  const made = await tempDir();
  dispose = async () => made[Symbol.asyncDispose]();
  temp = made.path;
  await mkdir(join(temp, "repo"));
  buildHistory(join(temp, "repo"), [{ files: { "a.txt": "1\n" } }]);
});
afterAll(() => dispose());

/** A server whose runs end by themselves when they have been listed so often. */
async function start(finishAfter = 2) {
  const looks = new Map<number, number>();
  const all: FakeRepository[] = [];
  const github = await startFakeGitHub({
    before(operation) {
      if (!operation.startsWith("GET ")) return;
      for (const run of all.flatMap(({ runs }) => runs)) {
        const seen = (looks.get(run.id) ?? 0) + 1;
        looks.set(run.id, seen);
        if (seen < finishAfter || run.status === "completed") continue;
        run.status = "completed";
        run.conclusion =
          run.inputs["job"] === "app-e2e" ? "failure" : "success";
      }
    },
  });
  const repository = github.addRepository("octo/app", {
    dir: join(temp, "repo"),
  });
  all.push(repository);
  github.addRun(repository, {
    headSha: "0".repeat(40),
    path: ".github/workflows/job.yml",
    event: "workflow_dispatch",
  });
  return { github, repository };
}

function launchArgs(state: string): string[] {
  return [
    "launch",
    `--plan=${plan}`,
    "--workflow=job.yml",
    "--ref=main",
    `--state=${state}`,
    "--repo=octo/app",
    "--interval=1",
  ];
}
const envFor = ({ url }: FakeGitHub) => ({
  GITHUB_API_URL: url,
  GITHUB_TOKEN: "x",
});
const readState = async (file: string) =>
  JSON.parse(await readFile(join(temp, file), "utf8")) as LaunchState;
/** Jobs of the runs that the server has started. */
const started = ({ runs }: FakeRepository) =>
  runs.flatMap(({ inputs }) => inputs["job"] ?? []).sort();

test.concurrent.each<
  [string, (github: FakeGitHub, repository: FakeRepository) => void]
>([
  ["a server that tells the run's id", () => undefined],
  [
    "a server that does not know return_run_details",
    (_, repository) => {
      repository.dispatching.runDetails = false;
    },
  ],
  [
    "runs that appear two looks later, and nobody tells their ids",
    (_, repository) => {
      repository.dispatching.runDetails = false;
      repository.dispatching.appearsAfter = 2;
    },
  ],
  [
    "an answer that gets lost behind the start",
    (github) =>
      github.fail({ operation: DISPATCH, fault: { kind: "cut-body" } }),
  ],
  [
    "a list that fails, and one that is slow",
    (github) => {
      const operation =
        "GET /repos/{owner}/{repo}/actions/workflows/{workflow_id}/runs";
      github.fail({ operation, fault: { kind: "status", status: 502 } });
      github.fail({ operation, fault: { kind: "slow", ms: 300 } });
    },
  ],
])(
  "%s: every job runs once, and its end is told",
  async (_, prepare) => {
    const { github, repository } = await start();
    try {
      prepare(github, repository);
      const state = `state-${String(count++)}.json`;
      const { exitCode, stdout, stderr } = await dispatchIn(
        temp,
        launchArgs(state),
        envFor(github),
      );
      expect(stderr).not.toContain("ci-dispatch:");
      expect(started(repository)).toEqual(JOBS);
      expect(stdout.replaceAll(/ \d+$/gm, "")).toBe(
        "app-lint success\napp-e2e failure\npackages-1 success\npackages-2 success\n",
      );
      expect(exitCode).toBe(1);
    } finally {
      await github[Symbol.asyncDispose]();
    }
  },
  60_000,
);

test("killed at any request and run again: no job is lost, none runs twice", async () => {
  const killedAt = async (at: number) => {
    const { github, repository } = await start(4);
    try {
      const state = `killed-${String(at)}.json`;
      const child = spawn(bin, launchArgs(state), {
        cwd: temp,
        env: { ...gitTestEnv, ...envFor(github) },
        stdio: "ignore",
      });
      while (github.requests.length < at) await sleep(5);
      child.kill("SIGKILL");
      await once(child, "exit");
      const { stdout } = await dispatchIn(
        temp,
        launchArgs(state),
        envFor(github),
      );
      expect(started(repository)).toEqual(JOBS);
      expect(stdout.split("\n")).toHaveLength(5);
    } finally {
      await github[Symbol.asyncDispose]();
    }
  };
  await Promise.all([1, 2, 3, 4, 5, 6].map(killedAt));
}, 60_000);

test("Ctrl-C cancels every run that is not over", async () => {
  const { github, repository } = await start(1_000);
  try {
    const child = spawn(bin, launchArgs("stopped.json"), {
      cwd: temp,
      env: { ...gitTestEnv, ...envFor(github) },
      stdio: "ignore",
    });
    while (started(repository).length < JOBS.length) await sleep(20);
    child.kill("SIGINT");
    const [code] = (await once(child, "exit")) as [number];
    expect(code).toBe(3);
    expect(
      repository.runs
        .filter(({ inputs }) => "job" in inputs)
        .map(({ conclusion }) => conclusion),
    ).toEqual(JOBS.map(() => "cancelled"));
  } finally {
    await github[Symbol.asyncDispose]();
  }
}, 60_000);

test("a refusal is told, and what was planned stays planned; the state of another plan is refused", async () => {
  const { github, repository } = await start();
  try {
    github.fail({
      operation: DISPATCH,
      times: 4,
      fault: { kind: "missing-permission" },
    });
    const refused = await dispatchIn(
      temp,
      launchArgs("refused.json"),
      envFor(github),
    );
    expect(refused.stderr).toContain("says that the token may not do this");
    expect(refused.exitCode).toBe(3);
    expect(started(repository)).toEqual([]);
    const { jobs } = await readState("refused.json");
    expect(jobs.map(({ phase }) => phase)).toEqual(JOBS.map(() => "planned"));
    const other = await dispatchIn(
      temp,
      [...launchArgs("refused.json"), "--ref=topic"],
      envFor(github),
    );
    expect(other.stderr).toContain(
      "refused.json: this state is for the ref main, not topic",
    );
    expect(other.exitCode).toBe(2);
  } finally {
    await github[Symbol.asyncDispose]();
  }
}, 60_000);
