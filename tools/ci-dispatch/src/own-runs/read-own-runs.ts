import { ciOf, githubAccessOf } from "@skein/ci";
import { openRepository } from "@skein/git";
import { explainGitHubError, GitHubError, openGitHub } from "@skein/github";
import type { GitHub, WorkflowRun } from "@skein/github";
import { Failure, printable } from "@skein/reporting";
import { eventPayload } from "../github-event.js";
import type { Attested } from "../plan.js";
import type { DispatchWorld } from "../world.js";
import { attestedBy, type Attestations } from "./attested-by.js";
import { isOwnRun, ownPullOf, type OwnPull } from "./own-pull.js";
import { findVerdict, readKeptVerdict } from "./kept-verdict.js";

/** The parts of the world that reading needs. */
export type OwnRunsWorld = Pick<
  DispatchWorld,
  "cwd" | "env" | "stderr" | "now" | "signal"
>;

/** The maximum number of earlier runs to check. Most runs without a verdict were cancelled by a newer push. */
const MOST_RUNS = 5;
/** The maximum number of verdicts to read. The newest one includes the results that its run reused. */
const MOST_VERDICTS = 2;
/** The time in milliseconds after which no further request is made. */
const MOST_MS = 20_000;

/**
 * Reads what earlier runs of this pull request attested. A run counts only if GitHub reports that it belongs to this pull
 * request and this workflow, and if its commit has the same `.github` as the checked-out one, because another workflow could
 * store any file under any name. Unreadable runs are reported and not reused.
 * @param name the prefix of the names of the workflow's artifacts
 * @returns an empty list if the run isn't for a pull request
 */
export async function readOwnRuns(
  world: OwnRunsWorld,
  name: string,
): Promise<readonly Attestations[]> {
  const { env, stderr } = world;
  const ci = ciOf(env);
  const pull = ownPullOf(ci, await eventPayload(ci));
  const { token, apiUrl } = githubAccessOf(env);
  if (!pull || !token) return [];
  const github = openGitHub({
    ...{ token, baseUrl: apiUrl, onlyReads: true },
    // If reading fails, units only run again, so it isn't worth waiting.
    ...{ timeout: 5000, retries: 0, longestWait: 0 },
  });
  try {
    return await ask(world, github, pull, name);
  } catch (error) {
    if (!(error instanceof GitHubError || error instanceof Failure))
      throw error;
    const why =
      error instanceof GitHubError
        ? explainGitHubError(error).sentence
        : error.message;
    stderr.write(
      `warning: no results of this pull request's earlier runs are reused: ${printable(why)}\n`,
    );
    return [];
  }
}

async function ask(
  world: OwnRunsWorld,
  github: GitHub,
  pull: OwnPull,
  name: string,
): Promise<readonly Attestations[]> {
  const until = world.now() + MOST_MS;
  const runs = await earlierRuns(github, pull);
  if (runs.length === 0) return [];
  const own = new Map(runs.map((run) => [String(run.id), reportedOf(run)]));
  const settings = await settingsHere(world);
  /** Reads the verdict of one run. @returns a sentence why the run doesn't count; undefined if it has no verdict */
  const read = async (run: WorkflowRun) => {
    const { repository } = pull;
    const kept = await findVerdict(github, repository, { run: run.id, name });
    if (!kept) return undefined;
    const top = { commit: run.commit, name: ".github" };
    if ((await github.topEntry(repository, top)) !== settings)
      return "its commit has another .github";
    const verdict = await readKeptVerdict(github, repository, kept);
    return typeof verdict === "string"
      ? verdict
      : attestedBy(verdict, reportedOf(run), own);
  };
  const found: Attestations[] = [];
  for (const run of runs.slice(0, MOST_RUNS)) {
    if (found.length === MOST_VERDICTS || world.now() > until) break;
    const attested = await read(run);
    if (attested === undefined) continue;
    if (typeof attested !== "string") found.push(attested);
    else
      world.stderr.write(
        `note: no results of run ${run.id} of this pull request are reused: ${printable(attested)}\n`,
      );
  }
  return found;
}

/** Returns the newest earlier runs of this pull request. The first page of the list is enough. */
async function earlierRuns(
  github: GitHub,
  pull: OwnPull,
): Promise<readonly WorkflowRun[]> {
  const { repository, branch, created, path } = pull;
  const pages = github.workflowRuns(repository, {
    workflow: path.slice(path.lastIndexOf("/") + 1),
    ...{ branch, event: "pull_request", status: "completed", pulls: true },
    since: created,
  });
  const first = await pages.next();
  const page = first.done === true ? [] : first.value;
  return page.filter((run) => isOwnRun(run, pull));
}

/** Returns the id of the folder with the workflows in the checked-out commit; undefined if it doesn't exist. */
async function settingsHere(world: OwnRunsWorld): Promise<string | undefined> {
  const { git } = await openRepository(world);
  const listed = await git.run(["ls-tree", "--full-tree", "HEAD", ".github"]);
  return /^\d+ \w+ ([0-9a-f]+)\t/.exec(listed.stdout.toString("latin1"))?.[1];
}

/** Returns GitHub's data about a run. */
function reportedOf({ id, commit, created }: WorkflowRun): Attested {
  return { commit, run: String(id), at: created };
}
