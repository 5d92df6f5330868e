import type { Job, RunCompleted, RunStarted } from "../events/event.js";
import { runEnd } from "../events/run-end.js";
import type { JobFacts, RunFacts } from "./run-facts.js";

/** Returns the event for the start of an attempt. */
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
    // `linkEvents` adds them: GitHub's answer depends on the time of the request.
    pulls: [],
    created: facts.created,
  };
}

/**
 * Returns the event for the end of an attempt.
 * @param jobs of the run, of all its attempts
 * @returns undefined if it has not ended: one of its jobs is still in progress, whatever the run's status is
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
    // An attempt without jobs took no time, for example because the workflow file could not be read.
    at: runEnd(of, attempt, started) ?? started,
    repository,
    run,
    attempt,
    started,
    conclusion,
    jobs: of,
  };
}

/** Sorts jobs, because the two APIs list them in different orders. */
function inOrder(jobs: readonly Job[]): readonly Job[] {
  return [...jobs].sort(
    (a, b) =>
      (a.name < b.name ? -1 : Number(a.name > b.name)) ||
      (a.started ?? 0) - (b.started ?? 0) ||
      (a.completed ?? 0) - (b.completed ?? 0),
  );
}
