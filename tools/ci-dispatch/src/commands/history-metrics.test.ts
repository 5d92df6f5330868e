import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { execFileSync } from "node:child_process";
import { parseEvents } from "@skein/delivery-metrics";
import type { DeliveryEvent, DeliveryReport } from "@skein/delivery-metrics";
import { gitIn, gitTestEnv, suiteDir, writeFiles } from "@skein/testing";
import { buildWorkspace, dispatchIn, knownYarn } from "../cli.test.kit.js";
import { unpackText } from "@skein/metrics-store";
import type { Plan } from "../plan.js";

/** A script that ends badly on its first run in this folder, and well afterwards. */
const once = (badly: string) =>
  `const fs = require("fs"); if (!fs.existsSync("ran")) { fs.writeFileSync("ran", ""); ${badly}; }\n`;
const ONTO_MAIN = {
  GITHUB_ACTIONS: "true",
  GITHUB_EVENT_NAME: "push",
  GITHUB_REF: "refs/heads/main",
  GITHUB_REPOSITORY: "acme/shop",
};

const temp = await suiteDir(afterAll);
let dir: string;
let head: string;
let plan: Plan;
beforeAll(async () => {
  dir = join(temp, "ws");
  const test = "node test.js";
  buildWorkspace(
    dir,
    {
      flaky: { scripts: { test } },
      green: { scripts: { test } },
      lost: { scripts: { test } },
      other: { scripts: { test } },
      untouched: { scripts: { test } },
    },
    {
      changed: ["flaky", "green", "lost"],
      root: { ...knownYarn, scripts: { lint: "echo clean" } },
      files: {
        "packages/flaky/test.js": once("process.exit(1)"),
        "packages/green/test.js": "",
        "packages/lost/test.js": once('process.kill(process.pid, "SIGKILL")'),
        ".gitignore": "ran\n",
      },
      settings: {
        dispatch: {
          application: { lint: "lint" },
          onePackagePerJob: true,
          setupSeconds: 30,
        },
      },
    },
  );
  head = gitIn(dir, "rev-parse", "HEAD").trim();
  gitIn(temp, "clone", "--quiet", "--bare", "ws", "remote.git");
  gitIn(dir, "remote", "add", "origin", "../remote.git");
  await writeFiles(temp, {
    "event.json": '{"repository":{"default_branch":"main"}}',
  });
  await ends(0, "plan", "--base=main", "--output=../out/plan.json");
  plan = JSON.parse(
    await readFile(join(temp, "out/plan.json"), "utf8"),
  ) as Plan;
});

async function ends(exitCode: number, ...args: string[]): Promise<string> {
  const ended = await dispatchIn(dir, args, {
    ...ONTO_MAIN,
    GITHUB_EVENT_PATH: join(temp, "event.json"),
  });
  expect({ args, ...ended }).toMatchObject({ args, exitCode });
  return ended.stdout;
}

/** Runs all jobs, repeats red ones on another machine, and judges them. */
async function runAll(): Promise<void> {
  const files = ["--plan=../out/plan.json", "--attestations=../out/attested"];
  for (const { id } of plan.jobs) {
    const exec = ["exec", `--job=${id}`, ...files];
    const { exitCode } = await dispatchIn(dir, exec);
    if (exitCode !== 0) await ends(0, ...exec, "--machine=2");
  }
  const report = "--report=../out/verdict.json";
  await ends(0, "verdict", ...files, "--layout=files", report);
}

const append = () =>
  ends(0, "history", "append", "--verdict=../out/verdict.json");

/** Returns the branch's delivery events, and the number of its commits. */
function kept() {
  const git = join(temp, "remote.git");
  const names = gitIn(git, "ls-tree", "--name-only", "ci-history");
  const events: DeliveryEvent[] = names
    .split("\n")
    .filter((name) => name.startsWith("delivery-"))
    .flatMap((name) => {
      const bytes = execFileSync("git", ["show", `ci-history:${name}`], {
        cwd: git,
        env: gitTestEnv,
      });
      return parseEvents(unpackText(name, bytes) ?? "").events;
    });
  return {
    names: names
      .trim()
      .replace(/\d{4}-\d{2}-\d{2}/g, "DAY")
      .split("\n"),
    commits: Number(gitIn(git, "rev-list", "--count", "ci-history")),
    events,
  };
}

test("from a plan to the report: savings, flakes and infrastructure failures", async () => {
  expect(plan.everything).toEqual({ jobs: 6, units: 6, machineMs: 240_000 });
  await runAll();
  await append();
  const { names, commits, events } = kept();
  expect({ names, commits }).toEqual({
    names: ["DAY.ndjson.gz", "delivery-DAY.ndjson.br"],
    commits: 1,
  });
  const about = {
    at: expect.any(Number) as unknown,
    repository: "acme/shop",
    plan: plan.id,
    sha: head,
    pull: null,
  };
  expect(events).toEqual([
    {
      kind: "jobs-selected",
      ...about,
      selected: { jobs: 4, units: 4, machineMs: 160_000 },
      everything: { jobs: 6, units: 6, machineMs: 240_000 },
      predictedMs: 40_000,
    },
    {
      kind: "run-judged",
      ...about,
      units: 4,
      flaky: ["flaky#test"],
      infrastructure: ["lost#test"],
      failed: [],
      setupMs: null,
    },
  ]);

  const { savings, flakes, infrastructure } = JSON.parse(
    await ends(0, "metrics", "report", "--json"),
  ) as DeliveryReport;
  expect(savings).toEqual({
    plans: 1,
    jobs: { everything: 6, selected: 4, saved: 2 },
    units: { everything: 6, selected: 4, saved: 2 },
    machineMs: { everything: 240_000, selected: 160_000, saved: 80_000 },
  });
  expect(flakes.units).toEqual({ count: 1, of: 4, rate: 0.25 });
  expect(infrastructure.units).toEqual({ count: 1, of: 4, rate: 0.25 });
  const reported = await ends(0, "metrics", "report");
  expect(reported).toContain(
    "not run by affected selection: 2 jobs (33.3 %), 1.3 machine minutes (33.3 %), over 1 plan\n",
  );
});

test("a re-run adds only the events that differ from those of the first run", async () => {
  await append();
  expect(kept().events).toHaveLength(2);
  const verdict = await readFile(join(temp, "out/verdict.json"), "utf8");
  await writeFiles(temp, {
    "out/verdict.json": verdict
      .replace('"flaky": 1', '"flaky": 0')
      .replace('"passed": 2', '"passed": 3')
      .replace('"state": "flaky"', '"state": "passed"'),
  });
  await append();
  expect(
    kept()
      .events.map(({ kind }) => kind)
      .sort(),
  ).toEqual(["jobs-selected", "run-judged", "run-judged"]);
  const { savings, flakes } = JSON.parse(
    await ends(0, "metrics", "report", "--json"),
  ) as DeliveryReport;
  expect(savings.plans).toBe(1);
  expect(flakes.units).toEqual({ count: 0, of: 4, rate: 0 });
});
