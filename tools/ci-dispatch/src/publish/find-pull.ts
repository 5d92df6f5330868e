import { showRepository } from "@skein/github";
import type { GitHub, RepositoryName } from "@skein/github";
import { conclusionOf, isSame } from "./target.js";
import type { ReportedRun, Target } from "./target.js";

/**
 * Finds the open pull request of a run that has ended. GitHub's event doesn't name it if it comes from a fork, and the
 * run's own data is untrusted. So the function asks GitHub which pull request has the run's commit as its head.
 * @throws {GitHubError}
 */
export async function findPull(
  github: GitHub,
  { repository, run }: Extract<Target, { kind: "report" }>,
): Promise<Exclude<Target, { kind: "report" }>> {
  const { commit, from, branch, detailsUrl } = run;
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
    conclusion: await verdictJob(github, repository, run),
  };
}

/**
 * Returns the conclusion of the run's verdict job, as GitHub reports it. The run's own conclusion is also red if an
 * unrelated job failed.
 */
async function verdictJob(
  github: GitHub,
  repository: RepositoryName,
  { id, conclusion }: ReportedRun,
): Promise<string> {
  if (conclusion === "success") return conclusion;
  const jobs = await github.workflowJobs(repository, id);
  const verdicts = jobs.filter(({ name }) => /^(.* \/ )?verdict$/.test(name));
  const ends = new Set(verdicts.map((job) => conclusionOf(job.conclusion)));
  ends.delete("success");
  const [worst] = ends;
  return verdicts.length === 0 ? conclusion : (worst ?? "success");
}
