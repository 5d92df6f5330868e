import { attemptEnd, iso, type RecordedRun } from "./delivery.js";
import type { FakeAttempt, FakeRepository, FakeRun } from "./state.js";

/**
 * The delay of a run's `updatedAt`. GitHub changes it when a log is read or a check is written, so it is never the end
 * of the run.
 */
const TOUCHED_LATER = 5 * 60_000;

/**
 * Returns the recorded runs of a repository, as they were at its clock, oldest first.
 * @param wanted filters runs by the time of their creation, because converting all runs for a list of one day would be
 *   slow
 */
export function recordedRuns(
  { delivery, fullName }: FakeRepository,
  wanted: (createdAt: number) => boolean,
): readonly FakeRun[] {
  return delivery.runs
    .filter((run) => wanted(createdAt(run)))
    .sort((a, b) => createdAt(a) - createdAt(b))
    .flatMap((run) => seeRun(run, delivery.clock, fullName) ?? []);
}

/** Returns one recorded run, or undefined if it was deleted. Lists still contain a deleted run for a while. */
export function recordedRun(
  { delivery, fullName }: FakeRepository,
  id: number,
): FakeRun | undefined {
  const run = delivery.runs.find((each) => each.id === id && !each.deleted);
  return run && seeRun(run, delivery.clock, fullName);
}

function createdAt({ attempts: [first] }: RecordedRun): number {
  return first?.startedAt ?? Infinity;
}

function seeRun(
  run: RecordedRun,
  clock: number,
  headRepository: string,
): FakeRun | undefined {
  const begun = run.attempts.filter(({ startedAt }) => startedAt <= clock);
  const attempts = begun.map((attempt, index): FakeAttempt => {
    const end = attemptEnd(attempt);
    return {
      runAttempt: index + 1,
      status: end <= clock ? "completed" : "in_progress",
      conclusion: end <= clock ? attempt.conclusion : null,
      startedAt: iso(attempt.startedAt),
      updatedAt: iso(end + TOUCHED_LATER),
    };
  });
  const [first] = attempts;
  const newest = attempts.at(-1);
  if (!first || !newest) return undefined;
  const name = run.path.replace(/^.*\/(.*)\.ya?ml$/, "$1");
  return {
    ...newest,
    id: run.id,
    workflowId: 1,
    path: run.path,
    name,
    title: name,
    headBranch: run.branch,
    headSha: run.sha,
    headRepository,
    event: run.event,
    pulls: [],
    runNumber: run.id,
    inputs: {},
    appearsAfter: 0,
    createdAt: first.startedAt,
    earlier: attempts.slice(0, -1),
    artifacts: [],
    jobs: begun.flatMap(({ jobs }, index) =>
      jobs
        .filter(({ createdAt }) => createdAt <= clock)
        .map((job) => ({
          id: job.id,
          name: job.name,
          attempt: index + 1,
          status:
            job.completedAt <= clock ? ("completed" as const) : "in_progress",
          conclusion: job.completedAt <= clock ? job.conclusion : null,
          createdAt: iso(job.createdAt),
          startedAt: iso(job.startedAt),
          completedAt: job.completedAt <= clock ? iso(job.completedAt) : null,
          runnerName: "GitHub Actions 1",
        })),
    ),
  };
}
