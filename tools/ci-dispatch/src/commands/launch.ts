import { mkdir } from "node:fs/promises";
import { hostname } from "node:os";
import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { githubAccessOf } from "@skein/ci";
import { openGitHub, parseRepository, showRepository } from "@skein/github";
import type {
  GitHub,
  GitHubOptions,
  RepositoryName,
  Usage,
} from "@skein/github";
import { ExitCode, isAlive, printable, usageFailure } from "@skein/reporting";
import type { LaunchCommand } from "../command.js";
import { withGitHubFailures } from "../github-failures.js";
import { openCollection, writeLosses } from "../launch/collect.js";
import { newestRun } from "../launch/look.js";
import { launch as launchJobs } from "../launch/launcher.js";
import type { Launched, LauncherOptions } from "../launch/launcher.js";
import { pause } from "../launch/pace.js";
import { newState } from "../launch/reconcile.js";
import { nextPhase } from "../launch/next-phase.js";
import { openStateFile } from "../launch/state-file.js";
import { openEvents, openView, type LaunchView } from "../launch/view.js";
import type { LaunchState } from "../launch.js";
import type { Plan } from "../plan.js";
import { readPlan } from "../plan/file/read-plan.js";
import type { DispatchWorld } from "../world.js";
import { DEFAULT_NAME } from "../verdict/layout.js";
import { judgeFiles } from "./verdict.js";

/**
 * The minimum number of looks before a run is lost. A list may lag behind by this many, however short the pause between
 * looks.
 */
const LEAST_PATIENCE = 6;

/**
 * Runs `ci-dispatch launch` and `watch`: starts a workflow run for each job of a plan, watches them until all have
 * ended, and judges them. Running it again resumes the launch.
 * @param open opens a GitHub; tests use one whose seconds are short
 */
export async function launch(
  world: DispatchWorld,
  command: LaunchCommand,
  open: (options: GitHubOptions) => GitHub = openGitHub,
): Promise<number> {
  const { cwd, env, stderr } = world;
  const plan = await readPlan(cwd, command.plan);
  let usage: Usage | undefined;
  let note = (line: string): void => void stderr.write(`${line}\n`);
  const access = githubAccessOf(env);
  const github = open({
    token: access.token,
    baseUrl: access.apiUrl,
    log: (line) => note(line),
    observe: (seen) => (usage = seen),
  });
  await using file = await openStateFile(
    resolve(cwd, command.state),
    { owner: world.unguessable(), pid: world.pid, host: hostname() },
    (pid) => isAlive(world.node, pid),
  );
  return await withGitHubFailures(async () => {
    const start = await startOf(world, command, plan, file.known, github);
    const repository = repositoryOf(start.repository);
    const folder = resolve(cwd, command.attestations);
    await mkdir(folder, { recursive: true });
    const view = command.json
      ? openEvents(world)
      : openView(world, plan, start);
    note = view.note;
    const { signal } = world;
    try {
      const launched = await launchJobs(start, {
        github,
        repository,
        concurrency: command.concurrency,
        ...paceOf(world, command, () => usage),
        signal,
        sleep: (ms, until) =>
          sleep(ms, undefined, { signal: until }).catch(() => undefined),
        save: file.save,
        collect: (jobs) =>
          openCollection(jobs, {
            github,
            repository,
            plan: plan.id,
            folder,
            onEvent: view.onEvent,
          }),
        nextPhase: (job, found) => nextPhase(plan, job, found, start.retries),
        mustStop: openStop(world, command, { github, repository, plan }),
        watch: command.watch,
        onEvent: view.onEvent,
      });
      await writeLosses(launched.state, folder);
      return await endOf(world, command, launched, view);
    } finally {
      view.close();
    }
  }, "; then run this again: it continues from there");
}

/** Returns how long to wait between two looks, and after how many looks a run is lost. */
function paceOf(
  { now }: DispatchWorld,
  { interval, lostAfter }: LaunchCommand,
  usage: () => Usage | undefined,
): Pick<LauncherOptions, "pause" | "patience"> {
  return {
    pause: (state) =>
      pause(state, usage(), { interval: interval * 1000, now: now() }),
    patience: Math.max(
      LEAST_PATIENCE,
      Math.ceil(lostAfter / Math.max(1, interval)),
    ),
  };
}

/** Returns the initial state: the known one, or one without any request. */
async function startOf(
  { env }: DispatchWorld,
  { target, state }: LaunchCommand,
  plan: Plan,
  known: LaunchState | undefined,
  github: GitHub,
): Promise<LaunchState> {
  if (!target) {
    if (!known)
      throw usageFailure("there is no launch to watch", {
        place: { file: state },
        hint: "start one with `ci-dispatch launch`, or name its --state",
      });
    checkSame(known, { plan: plan.id }, state);
    return known;
  }
  const { workflow, ref, inputs, retries } = target;
  const name = target.repository ?? githubAccessOf(env).repository ?? "";
  const repository = repositoryOf(name);
  if (known) {
    const at = showRepository(repository);
    checkSame(known, { plan: plan.id, repository: at, workflow, ref }, state);
    return { ...known, retries };
  }
  return newState(plan, {
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
  throw usageFailure(`${printable(name) || "nothing"} is not a repository`, {
    hint: "set it with --repo owner/name",
  });
}

/**
 * Checks that a state belongs to this launch. Otherwise runs of another plan or in another place would be treated as
 * its own.
 */
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
          hint: "use a different file with --state for another launch",
        },
      );
  }
}

/** Returns a function that checks the reasons to stop: Ctrl-C, a superseded commit, or the timeout. */
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
    if (now() > end) return `not finished within ${timeout} minutes`;
    if (whileHead === undefined) return undefined;
    const head = await github.resolveRef(repository, whileHead);
    return head === plan.head
      ? undefined
      : `${printable(whileHead)} is no longer at ${plan.head ?? "the plan's commit"}`;
  };
}

async function endOf(
  world: DispatchWorld,
  command: LaunchCommand,
  { state, stopped }: Launched,
  view: LaunchView,
): Promise<number> {
  if (stopped === undefined && !command.watch) {
    view.note(
      `requested ${state.jobs.length} jobs; \`ci-dispatch watch\` waits for them`,
    );
    return ExitCode.Ok;
  }
  const { judged } = await judgeFiles(world, {
    kind: "verdict",
    plan: command.plan,
    planId: undefined,
    attestations: command.attestations,
    // `collect` has checked that each file comes from the run of its job.
    layout: "files",
    name: DEFAULT_NAME,
    junit: undefined,
    report: command.report,
    summary: undefined,
    json: command.json,
  });
  view.close();
  view.judged(judged);
  if (stopped === undefined) return judged.exitCode;
  world.stderr.write(`everything was cancelled: ${stopped}\n`);
  return ExitCode.Unfinished;
}
