import { ciOf, githubAccessOf } from "@skein/ci";
import {
  explainGitHubError,
  GitHubError,
  openGitHub,
  parseRepository,
  showRepository,
} from "@skein/github";
import type { GitHub, MergedPull, RepositoryName } from "@skein/github";
import { printable } from "@skein/reporting";
import { parsePayload, textOf } from "../github-event.js";
import type { EarlierPush } from "../plan.js";
import { isSame } from "../publish/target.js";
import type { DispatchWorld } from "../world.js";
import { pushOf } from "./attested-by.js";
import { findVerdict, readKeptVerdict } from "./kept-verdict.js";

/** The reuse in the pushes of a merged pull request, oldest first. */
export interface MergedReuse {
  readonly pull: number;
  readonly pushes: readonly EarlierPush[];
}

/** The maximum number of commits per push whose pull requests are looked up; the newest ones. */
const MOST_COMMITS = 5;

/**
 * Reads how much the runs of merged pull requests reused. The numbers come from the pull requests themselves, and are only
 * counted. Unreadable ones are reported and skipped.
 * @param payload GitHub's event as JSON
 * @param name the prefix of the names of the workflow's artifacts
 */
export async function readMergedPulls(
  world: Pick<DispatchWorld, "env" | "stderr">,
  payload: string,
  name: string,
): Promise<readonly MergedReuse[]> {
  const ci = ciOf(world.env);
  const { token, apiUrl } = githubAccessOf(world.env);
  const repository = parseRepository(ci.repository ?? "");
  const { workflow } = ci.run;
  if (ci.event.name !== "push" || !token || !repository || !workflow) return [];
  const github = openGitHub({
    ...{ token, baseUrl: apiUrl, onlyReads: true },
    ...{ timeout: 5000, retries: 0, longestWait: 0 },
  });
  const found = new Map<number, MergedReuse>();
  try {
    for (const commit of commitsIn(payload))
      for (const pull of await github.pullRequestsOf(repository, commit)) {
        if (found.has(pull.number)) continue;
        const pushes = await pushesOf(github, repository, {
          ...{ pull, workflow, name },
        });
        found.set(pull.number, { pull: pull.number, pushes });
      }
  } catch (error) {
    if (!(error instanceof GitHubError)) throw error;
    world.stderr.write(
      `note: what pull requests reused is not counted: ${printable(explainGitHubError(error).sentence)}\n`,
    );
  }
  return [...found.values()];
}

/** Returns the newest commits of a push. */
function commitsIn(payload: string): readonly string[] {
  const { commits } = parsePayload(payload);
  const all: readonly ({ readonly id?: unknown } | null)[] = Array.isArray(
    commits,
  )
    ? commits
    : [];
  return all
    .map((each) => textOf(each?.id))
    .filter((id) => /^[0-9a-f]{40,64}$/.test(id))
    .slice(-MOST_COMMITS);
}

/** Returns the pushes of a pull request from the verdict of its last run, which includes the earlier ones. */
async function pushesOf(
  github: GitHub,
  repository: RepositoryName,
  {
    pull,
    workflow,
    name,
  }: {
    readonly pull: MergedPull;
    readonly workflow: string;
    readonly name: string;
  },
): Promise<readonly EarlierPush[]> {
  const pages = github.workflowRuns(repository, {
    ...{ workflow, event: "pull_request", status: "completed" },
    commit: pull.head.commit,
  });
  const { value } = await pages.next();
  const run = (value ?? []).find(
    ({ headRepository, path }) =>
      isSame(headRepository, pull.head.repository) &&
      isSame(headRepository, showRepository(repository)) &&
      path.split("@")[0] === `.github/workflows/${workflow}`,
  );
  if (!run) return [];
  const kept = await findVerdict(github, repository, { run: run.id, name });
  if (!kept) return [];
  const verdict = await readKeptVerdict(github, repository, kept);
  if (typeof verdict === "string") return [];
  const { commit, created } = run;
  const at = kept.created ?? created;
  const where = { commit, run: String(run.id), at };
  return [...(verdict.earlier ?? []), pushOf(verdict, where)];
}
