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
import type { EarlierPush } from "../plan.js";
import { isSame } from "../publish/target.js";
import type { DispatchWorld } from "../world.js";
import { pushOf } from "./attested-by.js";
import { findVerdict, readKeptVerdict } from "./kept-verdict.js";

/** What the pushes of a merged pull request reused, the first push first. */
export interface MergedReuse {
  readonly pull: number;
  readonly pushes: readonly EarlierPush[];
}

/** Commits of one push whose pull requests are asked for, the newest ones. */
const MOST_COMMITS = 5;

/**
 * Reads what the runs of the pull requests reused that a push merged. The numbers are their own word, and only counted. What cannot
 * be read is reported, and not counted.
 * @param payload GitHub's event, as JSON
 * @param name what the names of the workflow's artifacts begin with
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

/** The newest commits of a push. */
function commitsIn(payload: string): readonly string[] {
  try {
    const event = JSON.parse(payload) as {
      commits?: readonly { id?: unknown }[] | null;
    } | null;
    return (event?.commits ?? [])
      .flatMap(({ id }) =>
        typeof id === "string" && /^[0-9a-f]{40,64}$/.test(id) ? [id] : [],
      )
      .slice(-MOST_COMMITS);
  } catch {
    return [];
  }
}

/** The pushes of a pull request, by the verdict of its last run: that holds the earlier ones. */
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
