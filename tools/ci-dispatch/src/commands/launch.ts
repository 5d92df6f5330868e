import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import {
  explainGitHubError,
  GitHubError,
  openGitHub,
  parseRepository,
  showRepository,
} from "@skein/github";
import { ExitCode, Failure, printable, usageFailure } from "@skein/reporting";
import type { LaunchCommand } from "../command.js";
import { launch as launchJobs } from "../launch/launcher.js";
import { newState } from "../launch/reconcile.js";
import { readState, writeState } from "../launch/state-file.js";
import type { LaunchState } from "../launch.js";
import { readPlan } from "../plan/read-plan.js";
import type { DispatchWorld } from "../world.js";

/** `ci-dispatch launch`: one workflow run for each job of a plan, watched until all have ended; resumed by running it again. */
export async function launch(
  world: DispatchWorld,
  command: LaunchCommand,
): Promise<number> {
  const { cwd, env, stderr, stdout, signal } = world;
  const name = command.repository ?? env["GITHUB_REPOSITORY"] ?? "";
  const repository = parseRepository(name);
  if (!repository)
    throw usageFailure(`${printable(name) || "nothing"} names no repository`, {
      hint: "give it with --repo owner/name",
    });
  const plan = await readPlan(cwd, command.plan);
  const file = resolve(cwd, command.state);
  const at = {
    repository: showRepository(repository),
    workflow: command.workflow,
    ref: command.ref,
  };
  const known = await readState(file);
  if (known) checkSame(known, { plan: plan.id, ...at }, command.state);
  const github = openGitHub({
    token: env["GITHUB_TOKEN"],
    baseUrl: env["GITHUB_API_URL"],
    log: (line) => stderr.write(`${line}\n`),
  });
  try {
    const state = await launchJobs(known ?? newState(plan, at), {
      github,
      repository,
      concurrency: command.concurrency,
      interval: command.interval * 1000,
      signal,
      sleep: (ms) => sleep(ms, undefined, { signal }).catch(() => undefined),
      save: (next) => writeState(file, next),
      tell: (line) => stderr.write(`${line}\n`),
    });
    for (const { job, run, phase, conclusion } of state.jobs)
      stdout.write(`${job} ${conclusion ?? phase} ${run ?? ""}\n`);
    return exitCodeOf(state, signal.aborted);
  } catch (error) {
    if (!(error instanceof GitHubError)) throw error;
    const { sentence, hint } = explainGitHubError(error);
    throw new Failure(sentence, {
      hint: `${hint}; then run this again: it goes on where it stood`,
      cause: error,
    });
  }
}

/** Runs of another plan, or in another place, would be taken for this one's. */
function checkSame(
  state: LaunchState,
  wanted: Readonly<Record<"plan" | "repository" | "workflow" | "ref", string>>,
  file: string,
): void {
  for (const field of ["plan", "repository", "workflow", "ref"] as const)
    if (state[field] !== wanted[field])
      throw usageFailure(
        `this state is for the ${field} ${printable(state[field])}, not ${printable(wanted[field])}`,
        {
          place: { file },
          hint: "give another file with --state for another launch",
        },
      );
}

function exitCodeOf({ jobs }: LaunchState, interrupted: boolean): number {
  if (interrupted || jobs.some(({ conclusion }) => conclusion === "lost"))
    return ExitCode.Unfinished;
  return jobs.every(({ conclusion }) => conclusion === "success")
    ? ExitCode.Ok
    : ExitCode.Bad;
}
