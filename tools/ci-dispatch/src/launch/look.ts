import type { GitHub, RepositoryName } from "@skein/github";
import type { LaunchState, SeenRun } from "../launch.js";
import type { LauncherOptions } from "./launcher.js";

/**
 * What is there: one list for all runs since the launch began. A run that is known and not listed is asked for by its
 * id: a list ends at 1,000, and is late.
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
 * When the newest run of a workflow was created. By GitHub's clock: ours may be wrong, and a run that seems older than
 * its launch would be taken for lost.
 * @returns null where it has none
 * @throws {GitHubError} `not-found` where there is no such workflow
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
