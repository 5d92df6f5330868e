import type { GitHub, RepositoryName, WorkflowRun } from "@skein/github";
import { unlessNotFound, showRepository } from "@skein/github";

export interface LastGreenRequest {
  readonly github: GitHub;
  readonly repository: RepositoryName;
  /** The name of the branch, without `refs/heads/`. */
  readonly branch: string;
  /** The file name (`ci.yml`) or number of the workflow that must pass. */
  readonly workflow: string | number;
  /** The event whose runs count. Default: `push`. */
  readonly event?: string;
}

/** The newest green commit of a branch, or the reason why there is none. */
export type LastGreen =
  | {
      readonly kind: "found";
      readonly commit: string;
    }
  | {
      readonly kind: "none";
      readonly detail: string;
    };

/**
 * The maximum number of green commits to check. A force push may leave many that are not on the branch, and each costs
 * a request.
 */
const CANDIDATES = 50;

/**
 * Finds the newest commit of a branch whose workflow succeeded. All changes after that commit are then tested again
 * until the branch is green, so a red branch does not hide affected packages.
 *
 * The conclusion of a run is that of its newest attempt, and must be `success` (not `skipped` or `neutral`). Runs for a
 * fork's branch with the same name do not count. The commit must still be on the branch.
 *
 * The result is only as good as the runs: each must have tested all changes since the previous green commit, as a
 * workflow does that uses this commit as its base.
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
  });
  const tip = await github.resolveRef(repository, `heads/${branch}`);
  if (tip === undefined) return none("GitHub has no such branch");
  const query = { workflow, branch, event, status: "success" } as const;
  const pages = github.workflowRuns(repository, query);
  for (;;) {
    const page = await unlessNotFound(pages.next());
    if (!page) return none(`GitHub has no workflow ${workflow}`);
    if (page.done) break;
    for (const run of page.value) {
      if (!isGreen(run, repository, branch) || seen.has(run.commit)) continue;
      if (await isAncestor(github, repository, run.commit, tip))
        return { kind: "found", commit: run.commit };
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

/** Checks again what GitHub has already filtered, because it decides which packages are tested. */
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
  const comparison = await unlessNotFound(
    github.compare(repository, commit, tip),
  );
  return (
    comparison?.relation === "ahead" || comparison?.relation === "identical"
  );
}
