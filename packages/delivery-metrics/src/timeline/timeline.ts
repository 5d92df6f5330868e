import type { Instant, Published } from "../events/event.js";
import type { PullFacts, RepositoryFacts } from "../facts/facts.js";
import type { ExclusionReason, UnfinishedReason } from "../report/coverage.js";
import type { Until } from "../report/report.js";
import type { Stage } from "../report/stages.js";
import { both, minus, union, type Span, type Spans } from "../spans/spans.js";
import type { BaseBranches } from "./base-branch.js";
import { buildsOf, commitBuilds } from "./builds.js";
import { dividePipeline } from "./pipeline-spans.js";
import type { Publication } from "./publications.js";
import { Skew } from "./skew.js";
import { statesOf } from "./states.js";

/** The times of each stage. Together they cover the whole lead time, and no moment twice. */
export type StageSpans = Readonly<Record<Stage, Spans>>;

/** A merged pull request with its stages. */
export interface Timeline {
  readonly facts: PullFacts;
  readonly began: Instant;
  readonly beginsWith: "push" | "opened";
  readonly merged: Instant;
  /** The end; if it has not ended, the time of the report. */
  readonly ended: Instant;
  /** The reason why it has not ended; then its stages are those so far. Undefined if it has ended. */
  readonly unfinished: UnfinishedReason | undefined;
  readonly stages: StageSpans;
  /** The publication that contains it; undefined if the lead time ends with the merge. */
  readonly publication: Published | undefined;
  /** Whether a run of it before the merge is known. */
  readonly hasBuilds: boolean;
  /** The durations of its commits' builds, in milliseconds. */
  readonly builds: readonly number[];
  readonly skewedSpans: number;
}

/** A pull request that cannot be measured, and the time at which it would have counted. */
export interface Excluded {
  readonly facts: PullFacts;
  readonly reason: ExclusionReason;
  readonly at: Instant;
}

/** The inputs of a timeline. */
export interface Surroundings {
  readonly facts: RepositoryFacts;
  /** The set-up time of a leg in milliseconds; undefined if no run measured it. */
  readonly setupMs: number | undefined;
  readonly branches: BaseBranches;
  readonly publicationOf: (pull: PullFacts) => Publication;
  /** `upgraded` combines two timelines that end with `published`. */
  readonly until: Exclude<Until, "upgraded">;
  readonly asOf: Instant;
  /** Pull requests that ended before this are skipped. */
  readonly since: Instant;
}

/** Lays out one merged pull request; undefined if it is not merged, or ended too early. */
export function timelineOf(
  facts: PullFacts,
  surroundings: Surroundings,
): Timeline | Excluded | undefined {
  const { merged } = facts;
  if (!merged) return undefined;
  if (surroundings.until === "merged" && merged.at < surroundings.since)
    return undefined;
  const missed = (reason: ExclusionReason): Excluded => ({
    facts,
    reason,
    at: merged.at,
  });
  const beginning = beginningOf(facts);
  if (!beginning) return missed("no-beginning");
  const { beginsWith, start } = beginning;
  const skew = new Skew();
  const began = Math.min(start, merged.at);
  if (start > merged.at) skew.span(start, merged.at);

  const ending = endingOf(facts, merged.at, surroundings, skew);
  if (typeof ending === "string") return missed(ending);
  const { after, by } = ending;
  if (after.to < surroundings.since) return undefined;
  const isPublished = surroundings.until === "merged" || by !== undefined;

  const builds = buildsOf(facts, surroundings.facts, {
    ...surroundings,
    skew,
  });
  // An unfinished pull request only has times so far anyway, and a run in progress is a part of them.
  if (builds.going && isPublished) return missed("run-going");

  const rest = union([after]);
  const published = both(union([ending.publishing]), rest);
  const afterBuild = minus(
    both(union(surroundings.branches.postMergeBuilds(merged, skew)), rest),
    published,
  );
  return {
    facts,
    began,
    beginsWith,
    merged: merged.at,
    ended: after.to,
    unfinished: isPublished ? undefined : "not-published",
    hasBuilds: builds.runs.length > 0,
    builds: commitBuilds(builds),
    skewedSpans: skew.spans,
    publication: by,
    stages: {
      ...stagesBeforeMerge(facts, began, merged.at, builds),
      "post-merge-build": afterBuild,
      publish: published,
      "publish-wait": minus(minus(rest, published), afterBuild),
      upgrade: [],
    },
  };
}

/** Returns the time after a merge, and the publication in it; or why the pull request has none. */
function endingOf(
  facts: PullFacts,
  merged: Instant,
  { until, publicationOf, asOf }: Surroundings,
  skew: Skew,
):
  | ExclusionReason
  | {
      readonly after: Span;
      readonly publishing: Span;
      readonly by: Published | undefined;
    } {
  const none = { from: merged, to: merged };
  if (until === "merged")
    return { after: none, publishing: none, by: undefined };
  const publication = publicationOf(facts);
  if (publication.kind === "nothing") return "publishes-nothing";
  const by = publication.kind === "published" ? publication.by : undefined;
  const { reverted } = facts;
  if (reverted && !(by && by.at <= reverted.at)) return "reverted-before";
  const end = by?.at ?? asOf;
  return {
    after: skew.span(merged, end),
    publishing: by
      ? skew.span(by.started ?? by.at, by.at)
      : { from: end, to: end },
    by,
  };
}

/** Returns the earliest of the first push and the opening; undefined if neither is known. */
function beginningOf({
  opened,
  pushes,
}: PullFacts):
  | (Pick<Timeline, "beginsWith"> & { readonly start: Instant })
  | undefined {
  const push = earliest(pushes);
  if (push !== undefined && push <= (opened?.at ?? Infinity))
    return { beginsWith: "push", start: push };
  return opened && { beginsWith: "opened", start: opened.at };
}

/** Divides the time from the beginning to the merge into stages. */
function stagesBeforeMerge(
  facts: PullFacts,
  began: Instant,
  merged: Instant,
  builds: ReturnType<typeof buildsOf>,
) {
  const way = union([{ from: began, to: merged }]);
  const states = statesOf(facts, began, merged);
  const queued = both(states.queued, way);
  const running = minus(both(builds.running, way), queued);
  const retry = minus(both(builds.retrying, running), builds.firstTries);
  const firstTry = minus(running, retry);
  const build = both(firstTry, builds.busy);
  const human = minus(minus(way, queued), running);
  const ready = minus(human, states.unready);
  return {
    draft: both(human, states.unready),
    review: minus(ready, states.approved),
    approved: both(ready, states.approved),
    ...dividePipeline(build, builds.pipeline),
    queue: minus(firstTry, build),
    retry,
    "merge-queue": queued,
  };
}

function earliest(
  list: readonly { readonly at: Instant }[],
): Instant | undefined {
  return list.length === 0
    ? undefined
    : list.reduce((least, { at }) => Math.min(least, at), Infinity);
}
