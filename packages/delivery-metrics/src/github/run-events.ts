import type { Job, RunCompleted, RunStarted } from "../events/event.js";
import { runEnd } from "../events/run-end.js";
import type { JobFacts, RunFacts } from "./run-facts.js";

/** That an attempt of a run began. */
export function runStarted(repository: string, facts: RunFacts): RunStarted {
  const { run, attempt, workflow, path, event, branch, sha } = facts;
  return {
    kind: "run-started",
    at: facts.started,
    repository,
    run,
    attempt,
    workflow,
    path,
    event,
    branch,
    sha,
    // Found by `linkEvents`: what GitHub says here depends on when it is asked.
    pulls: [],
    created: facts.created,
  };
}

/**
 * That an attempt ended.
 * @param jobs of the run, of all its attempts
 * @returns undefined where it has not: one of its jobs is still going, whatever the run says
 */
export function runCompleted(
  repository: string,
  facts: RunFacts,
  jobs: readonly JobFacts[],
): RunCompleted | undefined {
  const { run, attempt, started, conclusion } = facts;
  const listed = jobs.filter((each) => each.attempt === attempt);
  if (conclusion === undefined || listed.some(({ going }) => going))
    return undefined;
  const of = inOrder(listed.map(({ job }) => job));
  return {
    kind: "run-completed",
    // An attempt that ran nothing took no time: a workflow file that could not be read, for one.
    at: runEnd(of, attempt, started) ?? started,
    repository,
    run,
    attempt,
    started,
    conclusion,
    jobs: of,
  };
}

/** The two APIs list jobs in different orders. */
function inOrder(jobs: readonly Job[]): readonly Job[] {
  return [...jobs].sort(
    (a, b) =>
      (a.name < b.name ? -1 : Number(a.name > b.name)) ||
      (a.started ?? 0) - (b.started ?? 0) ||
      (a.completed ?? 0) - (b.completed ?? 0),
  );
}
