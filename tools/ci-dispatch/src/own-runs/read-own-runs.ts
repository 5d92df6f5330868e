import { ciOf, githubAccessOf } from "@skein/ci";
import { openRepository } from "@skein/git";
import { explainGitHubError, GitHubError, openGitHub } from "@skein/github";
import type { GitHub, WorkflowRun } from "@skein/github";
import { Failure, printable, readRegularText } from "@skein/reporting";
import type { Attested } from "../plan.js";
import type { DispatchWorld } from "../world.js";
import { attestedBy } from "./attested-by.js";
import type { Attestations } from "./attested-by.js";
import { isOwnRun, ownPullOf } from "./own-pull.js";
import type { OwnPull } from "./own-pull.js";
import { findVerdict, readKeptVerdict } from "./kept-verdict.js";

/** What the reading needs of the world. */
export type OwnRunsWorld = Pick<
  DispatchWorld,
  "cwd" | "env" | "stderr" | "now" | "signal"
>;

/** Earlier runs that are looked at: most of those without a verdict were cancelled by a newer push. */
const MOST_RUNS = 5;
/** Verdicts that are read: the newest one holds what its run reused. */
const MOST_VERDICTS = 2;
/** After so long no further request is made; milliseconds. */
const MOST_MS = 20_000;

/**
 * Reads what earlier runs of this pull request attested. A run counts only if GitHub reports it as one of this pull request
 * and this workflow, and if its commit has the `.github` of the one that is checked out: another workflow can keep any file
 * under any name. Whatever cannot be read is reported, and not reused.
 * @param name what the names of the workflow's artifacts begin with
 * @returns nothing outside of a run for a pull request
 */
export async function readOwnRuns(
  world: OwnRunsWorld,
  name: string,
): Promise<readonly Attestations[]> {
  const { env, stderr } = world;
  const ci = ciOf(env);
  const { event } = ci;
  if (event.kind !== "file" || event.name !== "pull_request") return [];
  const payload = await readRegularText(event.path).catch(() => "");
  const pull = ownPullOf(ci, payload);
  const { token, apiUrl } = githubAccessOf(env);
  if (!pull || !token) return [];
  const github = openGitHub({
    ...{ token, baseUrl: apiUrl, onlyReads: true },
    // A reading that fails costs units that run again: nothing worth waiting for.
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
      `warning: nothing of this pull request's earlier runs is reused: ${printable(why)}\n`,
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
  const found: Attestations[] = [];
  for (const run of runs.slice(0, MOST_RUNS)) {
    if (found.length === MOST_VERDICTS || world.now() > until) break;
    const read = await readRun(github, pull, { run, name, settings, own });
    if (read === undefined) continue;
    if (typeof read !== "string") found.push(read);
    else
      world.stderr.write(
        `note: nothing of run ${run.id} of this pull request is reused: ${printable(read)}\n`,
      );
  }
  return found;
}

/** The newest earlier runs of this pull request: the first page of the list is enough. */
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

/** The id of the folder with the workflows, in the commit that is checked out; undefined where there is none. */
async function settingsHere(world: OwnRunsWorld): Promise<string | undefined> {
  const { git } = await openRepository(world);
  const listed = await git.run(["ls-tree", "--full-tree", "HEAD", ".github"]);
  return /^\d+ \w+ ([0-9a-f]+)\t/.exec(listed.stdout.toString("latin1"))?.[1];
}

/** @returns why nothing of a run counts, in words; undefined where it has no verdict */
async function readRun(
  github: GitHub,
  { repository }: OwnPull,
  {
    run,
    name,
    settings,
    own,
  }: {
    readonly run: WorkflowRun;
    readonly name: string;
    readonly settings: string | undefined;
    readonly own: ReadonlyMap<string, Attested>;
  },
): Promise<Attestations | string | undefined> {
  const kept = await findVerdict(github, repository, { run: run.id, name });
  if (!kept) return undefined;
  const top = { commit: run.commit, name: ".github" };
  if ((await github.topEntry(repository, top)) !== settings)
    return "its commit has another .github";
  const verdict = await readKeptVerdict(github, repository, kept);
  return typeof verdict === "string"
    ? verdict
    : attestedBy(verdict, reportedOf(run), own);
}

/** What GitHub reports of a run. */
function reportedOf({ id, commit, created }: WorkflowRun): Attested {
  return { commit, run: String(id), at: created };
}
