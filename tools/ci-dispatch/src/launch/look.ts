import type { GitHub, RepositoryName } from "@skein/github";
import type { LaunchState, SeenRun } from "../launch.js";
import type { LauncherOptions } from "./launcher.js";

/**
 * Reads all runs since the launch began from one list. It requests known runs that aren't listed by their id, because a
 * list ends at 1,000 runs and lags behind.
 * @throws {GitHubError}
 */
export async function look(
  { workflow, since, jobs }: LaunchState,
  { github, repository }: Pick<LauncherOptions, "github" | "repository">,
): Promise<readonly SeenRun[]> {
  const awaited = jobs.filter(
    ({ phase }) => phase === "asked" || phase === "running",
  );
  if (awaited.length === 0) return [];
  const seen = new Map<number, SeenRun>();
  const pages = github.workflowRuns(repository, {
    workflow,
    event: "workflow_dispatch",
    ...(since !== null && { since }),
  });
  for await (const page of pages)
    for (const { id, title, attempt, conclusion } of page)
      seen.set(id, { id, title, attempt, conclusion });
  for (const { run } of awaited) {
    if (run === null || seen.has(run)) continue;
    const found = await github.workflowRun(repository, run);
    if (!found) continue;
    const { id, title, attempt, conclusion } = found;
    seen.set(id, { id, title, attempt, conclusion });
  }
  return [...seen.values()];
}

/**
 * Returns when the newest run of a workflow was created. The time is from GitHub's clock: ours may be wrong, and a run
 * that appears older than its launch would be treated as lost.
 * @returns null if the workflow has no run
 * @throws {GitHubError} `not-found` if the workflow doesn't exist
 */
export async function newestRun(
  github: Pick<GitHub, "workflowRuns">,
  repository: RepositoryName,
  workflow: string,
): Promise<string | null> {
  for await (const [newest] of github.workflowRuns(repository, { workflow }))
    return newest?.created ?? null;
  return null;
}
