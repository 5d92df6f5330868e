import type { DeliveryEvent } from "../events/event.js";
import { readJob, readRun } from "./read-runs.js";
import { runCompleted, runStarted } from "./run-events.js";
import type { JobFacts, RunFacts } from "./run-facts.js";
import type { Row } from "./row.js";

/**
 * Returns the events of recorded runs and jobs. Either of the two may be missing.
 * - A run without recorded jobs has a start but no known end, because `updated_at` isn't its end.
 * - Jobs without a recorded run result in a run that starts with the first of them. Its trigger is unknown.
 */
export function importRuns(
  runs: readonly Row[],
  jobs: readonly Row[],
  repositoryOf: (row: Row) => string,
): { readonly events: DeliveryEvent[]; readonly notes: readonly string[] } {
  const events: DeliveryEvent[] = [];
  const notes: string[] = [];
  const jobsOf = new Map<number, Row[]>();
  for (const job of jobs) {
    const run = job.whole("run_id");
    if (run !== undefined) jobsOf.set(run, [...(jobsOf.get(run) ?? []), job]);
  }
  const known = new Set<number>();
  let endless = 0;
  for (const row of runs) {
    const facts = readRun(row);
    if (!facts) continue;
    known.add(facts.run);
    const repository = repositoryOf(row);
    events.push(runStarted(repository, facts));
    const own = jobsOf.get(facts.run);
    if (own) {
      const completed = runCompleted(repository, facts, factsOf(own));
      if (completed) events.push(completed);
    } else if (facts.conclusion !== undefined) endless++;
  }
  let orphans = 0;
  for (const [run, own] of jobsOf) {
    const [first] = own;
    if (known.has(run) || !first) continue;
    orphans++;
    const repository = repositoryOf(first);
    for (const facts of runsOfJobs(run, own)) {
      events.push(runStarted(repository, facts));
      const completed = runCompleted(repository, facts, factsOf(own));
      if (completed) events.push(completed);
    }
  }
  if (endless > 0)
    notes.push(`${endless} runs have no jobs here, so their end is not known`);
  if (orphans > 0) notes.push(`${orphans} runs are known only by their jobs`);
  return { events, notes };
}

function factsOf(jobs: readonly Row[]): readonly JobFacts[] {
  return jobs.flatMap((row) => readJob(row) ?? []);
}

/** Returns a run for each attempt that the jobs mention. */
function runsOfJobs(run: number, jobs: readonly Row[]): readonly RunFacts[] {
  const attempts = new Set(jobs.map((job) => job.whole("run_attempt") ?? 1));
  return [...attempts].flatMap((attempt) => {
    const own = jobs.filter(
      (job) => (job.whole("run_attempt") ?? 1) === attempt,
    );
    const [first] = own;
    const sha = first?.sha("head_sha");
    const began = own.flatMap(
      (job) => job.time("created_at") ?? job.time("started_at") ?? [],
    );
    if (!first || sha === undefined || began.length === 0) return [];
    const started = Math.min(...began);
    return [
      {
        run,
        attempt,
        workflow: first.text("workflow_name") ?? "unknown",
        path: null,
        event: "unknown",
        branch: first.text("head_branch") ?? null,
        sha,
        created: started,
        started,
        conclusion: worst(factsOf(own)),
        suite: undefined,
      },
    ];
  });
}

/**
 * Returns the conclusion that GitHub derives from the jobs: `failure` if one failed, else `cancelled` if one was
 * cancelled, else another one that isn't a success, if there is one.
 */
function worst(jobs: readonly JobFacts[]): RunFacts["conclusion"] {
  if (jobs.some(({ going }) => going)) return undefined;
  const all = new Set(jobs.map(({ job }) => job.conclusion));
  for (const bad of [
    "failure",
    "timed_out",
    "startup_failure",
    "cancelled",
    "action_required",
    "stale",
    "unknown",
  ] as const)
    if (all.has(bad)) return bad === "timed_out" ? "failure" : bad;
  return all.has("success")
    ? "success"
    : all.has("skipped")
      ? "skipped"
      : "neutral";
}
