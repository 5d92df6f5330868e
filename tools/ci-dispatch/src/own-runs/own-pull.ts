import type { Ci } from "@skein/ci";
import { parseRepository, showRepository } from "@skein/github";
import type { RepositoryName, WorkflowRun } from "@skein/github";
import { parsePayload, textOf } from "../github-event.js";
import { isSame } from "../publish/target.js";

/** The pull request of this run, according to GitHub's event. */
export interface OwnPull {
  readonly repository: RepositoryName;
  readonly number: number;
  /** The branch, which is in the repository itself. */
  readonly branch: string;
  /** The time at which it was opened: ISO 8601. */
  readonly created: string;
  /** The workflow's file, relative to the top of the repository. */
  readonly path: string;
  /** The id of this run. */
  readonly run: string;
}

/**
 * Finds the pull request of this run. Pure.
 * @param payload GitHub's event as JSON
 * @returns undefined unless the event is `pull_request`: pushes and merge queues read no runs of pull requests. Also
 *   undefined for a fork: GitHub links its runs to no pull request, and its author may not write to the repository.
 */
export function ownPullOf(ci: Ci, payload: string): OwnPull | undefined {
  const { event, run } = ci;
  if (event.kind !== "file" || event.name !== "pull_request") return undefined;
  const pull = parsePayload(payload).pull_request;
  const repository = parseRepository(ci.repository ?? "");
  const branch = textOf(pull?.head?.ref);
  const created = textOf(pull?.created_at);
  if (
    !repository ||
    !isSame(textOf(pull?.head?.repo?.full_name), ci.repository) ||
    branch === "" ||
    Number.isNaN(Date.parse(created)) ||
    !Number.isSafeInteger(pull?.number) ||
    run.workflow === undefined ||
    run.id === undefined
  )
    return undefined;
  return {
    ...{ repository, branch, created },
    number: Number(pull?.number),
    path: `.github/workflows/${run.workflow}`,
    run: run.id,
  };
}

/**
 * Returns whether a run is an earlier run of the same workflow for this pull request. Pure. It uses only GitHub's own data
 * about the run. The branch's name isn't enough, because every fork can have a branch of that name.
 */
export function isOwnRun(run: WorkflowRun, pull: OwnPull): boolean {
  const { pulls = [] } = run;
  return (
    String(run.id) !== pull.run &&
    run.event === "pull_request" &&
    run.status === "completed" &&
    run.path.split("@")[0] === pull.path &&
    run.branch === pull.branch &&
    isSame(run.headRepository, showRepository(pull.repository)) &&
    // An earlier pull request may have used the same branch.
    Date.parse(run.created) >= Date.parse(pull.created) &&
    pulls.length === 1 &&
    pulls[0] === pull.number
  );
}
