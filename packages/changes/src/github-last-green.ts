import type { GitHub, RepositoryName, WorkflowRun } from "@skein/github";
import { showRepository } from "@skein/github";
import { orNothing } from "./github-compare.js";

export interface LastGreenRequest {
  readonly github: GitHub;
  readonly repository: RepositoryName;
  /** Name of the branch, without `refs/heads/`. */
  readonly branch: string;
  /** File name (`ci.yml`) or number of the workflow that says what is green. */
  readonly workflow: string | number;
  /** The event whose runs count. Default: `push`. */
  readonly event?: string;
}

/** The newest green commit of a branch, or why there is none. */
export type LastGreen =
  | {
      readonly kind: "found";
      readonly commit: string;
      /** The run that says so. */
      readonly run: number;
      /** Green commits that are newer and no longer on the branch. */
      readonly passedOver: number;
    }
  | {
      readonly kind: "none";
      readonly detail: string;
      /** Green commits that were looked at, none of them on the branch. */
      readonly passedOver: number;
    };

/** After a force push there may be many green commits that are not on the branch; each costs a request. */
const CANDIDATES = 50;

/**
 * Finds the newest commit of a branch whose workflow ended in success, so that a red branch does not hide what was
 * affected since: all that changed after that commit is tested again, until it is green.
 *
 * A run counts by its newest attempt, which must have ended in `success` (not `skipped`, not `neutral`). A fork's
 * branch of the same name does not count. The commit must still be on the branch.
 *
 * It is as good as its runs: each must itself have tested all that changed since the green commit before it, as a
 * workflow does that takes this commit for its base.
 * @throws {GitHubError}
 */
export async function lastGreenCommit({
  github,
  repository,
  branch,
  workflow,
  event = "push",
}: LastGreenRequest): Promise<LastGreen> {
  const seen = new Set<string>();
  const none = (detail: string): LastGreen => ({
    kind: "none",
    detail: `${detail} (branch ${JSON.stringify(branch)} of ${showRepository(repository)})`,
    passedOver: seen.size,
  });
  const tip = await github.resolveRef(repository, `heads/${branch}`);
  if (tip === undefined) return none("GitHub knows no such branch");
  const query = { workflow, branch, event, status: "success" } as const;
  const pages = github.workflowRuns(repository, query);
  for (;;) {
    const page = await orNothing(pages.next());
    if (!page) return none(`GitHub knows no workflow ${workflow}`);
    if (page.done) break;
    for (const run of page.value) {
      if (!isGreen(run, repository, branch) || seen.has(run.commit)) continue;
      if (await isAncestor(github, repository, run.commit, tip))
        return {
          kind: "found",
          commit: run.commit,
          run: run.id,
          passedOver: seen.size,
        };
      seen.add(run.commit);
      if (seen.size === CANDIDATES)
        return none(
          `the ${CANDIDATES} newest green runs of ${workflow} are not on the branch`,
        );
    }
  }
  return none(
    seen.size === 0
      ? `no run of ${workflow} for the event ${event} was green`
      : `no green run of ${workflow} is still on the branch`,
  );
}

/** GitHub has filtered already; what decides what is tested is looked at here again. */
function isGreen(
  run: WorkflowRun,
  repository: RepositoryName,
  branch: string,
): boolean {
  const ours = showRepository(repository).toLowerCase();
  return (
    run.status === "completed" &&
    run.conclusion === "success" &&
    run.branch === branch &&
    run.headRepository?.toLowerCase() === ours
  );
}

async function isAncestor(
  github: GitHub,
  repository: RepositoryName,
  commit: string,
  tip: string,
): Promise<boolean> {
  const comparison = await orNothing(github.compare(repository, commit, tip));
  return (
    comparison?.relation === "ahead" || comparison?.relation === "identical"
  );
}
