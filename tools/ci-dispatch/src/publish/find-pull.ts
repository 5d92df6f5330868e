import { showRepository } from "@skein/github";
import type { GitHub } from "@skein/github";
import { isSame } from "./target.js";
import type { Target } from "./target.js";

/**
 * Finds the open pull request of a run that has ended. GitHub's event does not name it where it comes from a fork, and
 * what the run itself says is anybody's word: so GitHub is asked which one has the run's commit at its head now.
 * @throws {GitHubError}
 */
export async function findPull(
  github: GitHub,
  { repository, run }: Extract<Target, { kind: "report" }>,
): Promise<Exclude<Target, { kind: "report" }>> {
  const { commit, from, branch, conclusion, detailsUrl } = run;
  const open = await github.openPullRequests(repository, {
    owner: from.owner,
    branch,
  });
  const pull = open.find(
    ({ head }) =>
      head.commit === commit && isSame(head.repository, showRepository(from)),
  );
  if (!pull)
    return {
      kind: "none",
      why: `no open pull request from ${branch} of ${showRepository(from)} is at ${commit} now`,
    };
  return {
    kind: "publish",
    repository,
    commit,
    pull: pull.number,
    detailsUrl,
    conclusion,
  };
}
