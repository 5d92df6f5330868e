import { mkdir } from "node:fs/promises";
import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import {
  explainGitHubError,
  GitHubError,
  openGitHub,
  parseRepository,
  showRepository,
} from "@skein/github";
import type { GitHub, GitHubOptions, RepositoryName } from "@skein/github";
import { ExitCode, Failure, printable, usageFailure } from "@skein/reporting";
import type { LaunchCommand } from "../command.js";
import { collect } from "../launch/collect.js";
import { newestRun } from "../launch/look.js";
import { launch as launchJobs } from "../launch/launcher.js";
import type { Launched } from "../launch/launcher.js";
import { newState } from "../launch/reconcile.js";
import { settle } from "../launch/settle.js";
import { openStateFile, readState } from "../launch/state-file.js";
import type { LaunchState } from "../launch.js";
import type { Plan } from "../plan.js";
import { readPlan } from "../plan/read-plan.js";
import type { DispatchWorld } from "../world.js";
import { verdict } from "./verdict.js";

/** However quickly one looks, a list may be so many looks late. */
const LEAST_PATIENCE = 6;

/**
 * `ci-dispatch launch` and `watch`: one workflow run for each job of a plan, watched until all have ended, and judged.
 * Resumed by running it again.
 * @param open tests want a GitHub whose seconds are short
 */
export async function launch(
  world: DispatchWorld,
  command: LaunchCommand,
  open: (options: GitHubOptions) => GitHub = openGitHub,
): Promise<number> {
  const { cwd, env, stderr } = world;
  const plan = await readPlan(cwd, command.plan);
  const file = resolve(cwd, command.state);
  const github = open({
    token: env["GITHUB_TOKEN"],
    baseUrl: env["GITHUB_API_URL"],
    log: (line) => stderr.write(`${line}\n`),
  });
  return speakingGitHub(async () => {
    const known = await readState(file);
    const start = await startOf(world, command, plan, known, github);
    const repository = repositoryOf(start.repository);
    const folder = resolve(cwd, command.attestations);
    await mkdir(folder, { recursive: true });
    const tell = (line: string) => stderr.write(`${line}\n`);
    const launched = await launchJobs(start, {
      github,
      repository,
      concurrency: command.concurrency,
      interval: command.interval * 1000,
      patience: Math.max(
        LEAST_PATIENCE,
        Math.ceil(command.lostAfter / Math.max(1, command.interval)),
      ),
      signal: world.signal,
      sleep: (ms, signal) =>
        sleep(ms, undefined, { signal }).catch(() => undefined),
      save: openStateFile(file, start.owner),
      collect: (job) =>
        collect(job, { github, repository, plan: plan.id, folder, tell }),
      settle: (job, found) => settle(plan, job, found, start.retries),
      mustStop: openStop(world, command, { github, repository, plan }),
      watch: command.watch,
      tell,
    });
    return endOf(world, command, launched);
  });
}

async function speakingGitHub<T>(body: () => Promise<T>): Promise<T> {
  try {
    return await body();
  } catch (error) {
    if (!(error instanceof GitHubError)) throw error;
    const { sentence, hint } = explainGitHubError(error);
    throw new Failure(sentence, {
      hint: `${hint}; then run this again: it goes on where it stood`,
      cause: error,
    });
  }
}

/** Where to begin: with what is known, or with nothing asked for yet. */
async function startOf(
  { env, unguessable }: DispatchWorld,
  { target, state }: LaunchCommand,
  plan: Plan,
  known: LaunchState | undefined,
  github: GitHub,
): Promise<LaunchState> {
  const owner = unguessable();
  if (!target) {
    if (!known)
      throw usageFailure("there is no launch to watch", {
        place: { file: state },
        hint: "start one with `ci-dispatch launch`, or name its --state",
      });
    checkSame(known, { plan: plan.id }, state);
    return { ...known, owner };
  }
  const { workflow, ref, inputs, retries } = target;
  const name = target.repository ?? env["GITHUB_REPOSITORY"] ?? "";
  const repository = repositoryOf(name);
  if (known) {
    const at = showRepository(repository);
    checkSame(known, { plan: plan.id, repository: at, workflow, ref }, state);
    return { ...known, owner, retries };
  }
  return newState(plan, {
    owner,
    repository: showRepository(repository),
    workflow,
    ref,
    inputs,
    retries,
    since: await newestRun(github, repository, workflow),
  });
}

function repositoryOf(name: string): RepositoryName {
  const repository = parseRepository(name);
  if (repository) return repository;
  throw usageFailure(`${printable(name) || "nothing"} names no repository`, {
    hint: "give it with --repo owner/name",
  });
}

/** Runs of another plan, or in another place, would be taken for this one's. */
function checkSame(
  state: LaunchState,
  wanted: Readonly<
    Partial<Record<"plan" | "repository" | "workflow" | "ref", string>>
  >,
  file: string,
): void {
  for (const field of ["plan", "repository", "workflow", "ref"] as const) {
    const value = wanted[field];
    if (value !== undefined && state[field] !== value)
      throw usageFailure(
        `this state is for the ${field} ${printable(state[field])}, not ${printable(value)}`,
        {
          place: { file },
          hint: "give another file with --state for another launch",
        },
      );
  }
}

/** Ctrl-C, a commit that was superseded, or too long a time. */
function openStop(
  { now, signal }: DispatchWorld,
  { whileHead, timeout }: LaunchCommand,
  {
    github,
    repository,
    plan,
  }: { github: GitHub; repository: RepositoryName; plan: Plan },
): () => Promise<string | undefined> {
  const end = now() + timeout * 60_000;
  return async () => {
    if (signal.aborted) return "interrupted";
    if (now() > end) return `not over within ${timeout} minutes`;
    if (whileHead === undefined) return undefined;
    const head = await github.resolveRef(repository, whileHead);
    return head === plan.head
      ? undefined
      : `${printable(whileHead)} is not at ${plan.head ?? "the plan's commit"} any more`;
  };
}

async function endOf(
  world: DispatchWorld,
  command: LaunchCommand,
  { state, stopped }: Launched,
): Promise<number> {
  const { stderr } = world;
  if (stopped === undefined && !command.watch) {
    stderr.write(
      `asked for ${state.jobs.length} jobs; \`ci-dispatch watch\` waits for them\n`,
    );
    return ExitCode.Ok;
  }
  const exitCode = await verdict(world, {
    kind: "verdict",
    plan: command.plan,
    attestations: command.attestations,
    junit: undefined,
    report: undefined,
    summary: undefined,
    json: false,
  });
  if (stopped === undefined) return exitCode;
  stderr.write(`everything was cancelled: ${stopped}\n`);
  return ExitCode.Unfinished;
}
