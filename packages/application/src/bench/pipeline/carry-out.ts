import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { startFakeGitHub } from "@skein/testing/fake-github";
import { checkOut } from "../../e2e/shop.js";
import { forkPull } from "../../e2e/fork-pull.js";
import { runAct } from "../../e2e/act.js";
import type { BenchWorkspace } from "./make-workspace.js";
import { jobTimes, stepTimes } from "./job-times.js";

/** The measurements of one run of a workflow, in seconds unless stated otherwise. */
export interface Carried {
  readonly toFirstTest: number;
  readonly toVerdict: number;
  readonly after: number;
  readonly testSeconds: number;
  readonly machineSeconds: number;
  readonly billedMinutes: number;
  readonly installs: number;
  /** The duration of each job, from its first step to its end; the longest of jobs with the same name. */
  readonly jobs: Readonly<Record<string, number>>;
  /** The duration of the jobs and steps before the verdict that neither set up nor test. */
  readonly ours: number;
}

export interface CarryOptions {
  readonly folder: string;
  readonly workflow: string;
  readonly registry: string;
  /** A Bash command before each install, which removes from Yarn's cache what must be downloaded. */
  readonly forget: string;
}

/** Jobs that the verdict doesn't wait for. */
const ASIDE = new Set(["publish", "history"]);
/** Matches steps that a team's own workflow has too. */
const OF_TEAM = /^(Set up|Run|yarn |eval|.*turbo |actions\/checkout)/;

/** Runs a workflow with act on this machine, for the pull request of the workspace. */
export async function carryOut(
  { origin, base, head }: BenchWorkspace,
  { folder, workflow, registry, forget }: CarryOptions,
): Promise<Carried> {
  const workspace = join(folder, "workspace");
  await checkOut(origin, "change", workspace);
  await using github = await startFakeGitHub();
  github.addRepository("octo/shop", { dir: origin });
  const artifacts = join(folder, "artifacts");
  const began = Date.now();
  const { exitCode, log, printed } = await runAct({
    ...{ folder, workspace, origin, workflow, artifacts, registry },
    event: "pull_request",
    payload: forkPull(base, head),
    env: {
      GITHUB_API_URL: github.url,
      GITHUB_REF: "refs/heads/change",
      E2E_BASE: base,
      TURBO_SCM_BASE: base,
      FORGET: forget,
    },
  });
  if (exitCode !== 0)
    throw new Error(`${workflow} is red: ${log.slice(-4000)}`);
  const tests = (await readFile(`${artifacts}.tests`, "utf8"))
    .trim()
    .split("\n")
    .map((line) => line.split(" ").map(Number));
  const firstTest = Math.min(...tests.map(([from = 0]) => from));
  const lastTest = Math.max(...tests.map(([, to = 0]) => to));
  const jobs = jobTimes(printed).filter(({ id }) => !ASIDE.has(id));
  const steps = stepTimes(printed).filter(({ job }) => !ASIDE.has(job));
  // The time before act's first job is act's own start, so no pipeline is charged for it.
  const from = Math.max(began, Math.min(...jobs.map((job) => job.from)));
  const to = Math.max(...jobs.map((job) => job.to));
  const seconds = (ms: number) => ms / 1000;
  return {
    toFirstTest: seconds(firstTest - from),
    toVerdict: seconds(to - from),
    after: seconds(to - lastTest),
    testSeconds: tests.reduce((sum, [a = 0, b = 0]) => sum + seconds(b - a), 0),
    machineSeconds: jobs.reduce(
      (sum, job) => sum + seconds(job.to - job.from),
      0,
    ),
    billedMinutes: jobs.reduce(
      (sum, job) => sum + Math.max(1, Math.ceil((job.to - job.from) / 60_000)),
      0,
    ),
    installs: steps.filter(({ step }) => /^(Set up|eval)/.test(step)).length,
    jobs: Object.fromEntries(
      jobs.map(({ id }) => [
        id,
        Math.max(
          ...jobs
            .filter((job) => job.id === id)
            .map((job) => seconds(job.to - job.from)),
        ),
      ]),
    ),
    ours: steps
      .filter(({ step }) => !OF_TEAM.test(step) && isOutermost(step))
      .reduce((sum, { ms }) => sum + seconds(ms), 0),
  };
}

/**
 * Returns whether a step isn't inside a composite action, whose own time already includes it. Inner steps have several lines
 * or words of Bash.
 */
function isOutermost(step: string): boolean {
  return /^(?:[A-Z][\w ]*|actions\/\S+|\.\/\S+|echo .*)$/.test(step);
}
