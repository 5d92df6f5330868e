import { ownJobs } from "../events/run-end.js";
import type { Instant } from "../events/event.js";
import type { PullFacts, RepositoryFacts, RunFacts } from "../facts/facts.js";
import { union, type Span, type Spans } from "../spans/spans.js";
import { PipelineClock, partsOf } from "./pipeline-spans.js";
import type { PipelineSpans } from "./pipeline-spans.js";
import type { Skew } from "./skew.js";

/** The longest run. GitHub ends every run after 35 days, so a run without an end by then was lost and is ignored. */
const LONGEST_RUN_MS = 35 * 86_400_000;

/** The time that machines spent on a pull request before its merge. */
export interface Builds {
  readonly runs: readonly RunFacts[];
  /** The time during which a run was in progress, waiting for a runner or not. */
  readonly running: Spans;
  /** The part of it with attempts after the first. */
  readonly retrying: Spans;
  readonly firstTries: Spans;
  /** The time during which a job was on a runner. */
  readonly busy: Spans;
  /** The parts of it that the pipeline itself takes. */
  readonly pipeline: PipelineSpans;
  /** Whether a run started before the merge and has not ended. */
  readonly going: boolean;
}

/**
 * Finds the runs of a pull request, up to its merge.
 * @param options `asOf`: later events are ignored; `setupMs`: the set-up time of a leg in milliseconds, if it is known
 */
export function buildsOf(
  pull: PullFacts,
  facts: RepositoryFacts,
  {
    asOf,
    setupMs,
    skew,
  }: {
    readonly asOf: Instant;
    readonly setupMs: number | undefined;
    readonly skew: Skew;
  },
): Builds {
  const runs = runsOf(pull, facts).filter(
    ({ started, completed }) =>
      completed !== undefined || asOf - started.at < LONGEST_RUN_MS,
  );
  const firstTries: Span[] = [];
  const retries: Span[] = [];
  const busy: Span[] = [];
  const clock = new PipelineClock(setupMs, skew);
  for (const { started, completed } of runs) {
    const spans = started.attempt === 1 ? firstTries : retries;
    if (!completed) {
      // The jobs of a run are known only at its end. Until then it is assumed to be on a runner.
      const soFar = skew.span(started.at, asOf);
      spans.push(soFar);
      busy.push(soFar);
      clock.tested(soFar);
      continue;
    }
    spans.push(skew.span(started.at, completed.at));
    const jobs = ownJobs(completed.jobs, started.attempt, started.at);
    const partOf = partsOf(jobs);
    for (const job of jobs)
      if (job.started !== null && job.completed !== null) {
        const span = skew.span(job.started, job.completed);
        busy.push(span);
        clock.job(partOf(job), span);
      }
  }
  return {
    runs,
    running: union([...firstTries, ...retries]),
    retrying: union(retries),
    firstTries: union(firstTries),
    busy: union(busy),
    pipeline: clock.spans(),
    going: runs.some(({ completed }) => !completed),
  };
}

function runsOf(
  { pull, merged, pushes }: PullFacts,
  { runsBySha, runsByPull }: RepositoryFacts,
): readonly RunFacts[] {
  const until = merged?.at ?? Infinity;
  const found = new Set(runsByPull.get(pull));
  const take = (sha: string) => {
    for (const run of runsBySha.get(sha) ?? []) found.add(run);
  };
  for (const { at, sha } of pushes) if (at <= until) take(sha);
  if (merged) take(merged.head);
  return [...found].filter(
    ({ started: { event, branch, at } }) =>
      at < until &&
      event !== "schedule" &&
      // After a fast-forward, the base branch has the same commit.
      !(event === "push" && branch === merged?.base),
  );
}

/**
 * Returns the durations of the completed builds of a pull request's commits, in milliseconds: of the first attempts of
 * each commit's runs. Builds that were cancelled (by a newer push) or are unfinished are ignored.
 */
export function commitBuilds({ runs }: Builds): readonly number[] {
  const bySha = new Map<string, RunFacts[]>();
  for (const run of runs) {
    if (run.started.attempt !== 1 || run.started.event === "merge_group")
      continue;
    const list = bySha.get(run.started.sha);
    if (list) list.push(run);
    else bySha.set(run.started.sha, [run]);
  }
  return [...bySha.values()].flatMap((list) => {
    if (
      list.some(
        ({ completed }) => !completed || completed.conclusion === "cancelled",
      )
    )
      return [];
    const from = Math.min(...list.map(({ started }) => started.at));
    const to = Math.max(...list.map(({ completed }) => completed?.at ?? 0));
    return [Math.max(0, to - from)];
  });
}
