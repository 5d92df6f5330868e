import { ownJobs } from "../events/run-end.js";
import type { Instant } from "../events/event.js";
import type { PullFacts, RepositoryFacts, RunFacts } from "../facts/facts.js";
import type { Span, Spans } from "../spans/spans.js";
import { union } from "../spans/spans.js";
import type { Skew } from "./skew.js";

/** GitHub ends every run after 35 days: one that has no end by then was lost, and counts for nothing. */
const LONGEST_RUN_MS = 35 * 86_400_000;

/** When machines worked on a pull request before it was merged. */
export interface Builds {
  readonly runs: readonly RunFacts[];
  /** Some run of it was under way, waiting for a machine or not. */
  readonly running: Spans;
  /** Of that, attempts after the first. */
  readonly retrying: Spans;
  readonly firstTries: Spans;
  /** Some job of it was on a machine. */
  readonly busy: Spans;
  /** A run began before the merge and has not ended. */
  readonly going: boolean;
}

/** Finds the runs of a pull request, up to its merge. @param asOf what is known up to then */
export function buildsOf(
  pull: PullFacts,
  facts: RepositoryFacts,
  asOf: Instant,
  skew: Skew,
): Builds {
  const runs = runsOf(pull, facts).filter(
    ({ started, completed }) =>
      completed !== undefined || asOf - started.at < LONGEST_RUN_MS,
  );
  const ended = runs.filter(({ completed }) => completed);
  const spans = ended.map((run) => runSpan(run, skew));
  const of = (first: boolean) =>
    union(
      spans.filter(
        (_, index) => (ended[index]?.started.attempt === 1) === first,
      ),
    );
  return {
    runs,
    running: union(spans),
    retrying: of(false),
    firstTries: of(true),
    busy: union(ended.flatMap((run) => jobSpans(run, skew))),
    going: runs.some(({ completed }) => !completed),
  };
}

function runsOf(
  { pull, merged, pushes }: PullFacts,
  { runsBySha, runsByPull }: RepositoryFacts,
): readonly RunFacts[] {
  const until = merged?.at ?? Infinity;
  const commits = new Set(
    pushes.filter(({ at }) => at <= until).map(({ sha }) => sha),
  );
  if (merged) commits.add(merged.head);
  const found = new Set<RunFacts>(runsByPull.get(pull));
  for (const sha of commits)
    for (const run of runsBySha.get(sha) ?? []) found.add(run);
  return [...found].filter(
    ({ started: { event, branch, at } }) =>
      at < until &&
      event !== "schedule" &&
      // After a fast-forward, the base branch has the same commit.
      !(event === "push" && branch === merged?.base),
  );
}

/** From the attempt's start to its end. */
export function runSpan({ started, completed }: RunFacts, skew: Skew): Span {
  return skew.span(started.at, completed?.at ?? started.at);
}

function jobSpans({ started, completed }: RunFacts, skew: Skew): Span[] {
  if (!completed) return [];
  return ownJobs(completed.jobs, started.attempt, started.at).flatMap((job) =>
    job.started === null || job.completed === null
      ? []
      : [skew.span(job.started, job.completed)],
  );
}

/** One commit's build: how long its runs took at their first attempt. Milliseconds. */
export interface CommitBuild {
  readonly sha: string;
  readonly ended: Instant;
  readonly ms: number;
}

/** The builds of a pull request's commits that were carried through: not those that a newer push has cancelled, nor unfinished ones. */
export function commitBuilds({ runs }: Builds): readonly CommitBuild[] {
  const bySha = new Map<string, RunFacts[]>();
  for (const run of runs) {
    if (run.started.attempt !== 1 || run.started.event === "merge_group")
      continue;
    const list = bySha.get(run.started.sha);
    if (list) list.push(run);
    else bySha.set(run.started.sha, [run]);
  }
  return [...bySha].flatMap(([sha, list]) => {
    if (
      list.some(
        ({ completed }) => !completed || completed.conclusion === "cancelled",
      )
    )
      return [];
    const from = Math.min(...list.map(({ started }) => started.at));
    const to = Math.max(...list.map(({ completed }) => completed?.at ?? 0));
    return [{ sha, ended: to, ms: Math.max(0, to - from) }];
  });
}
