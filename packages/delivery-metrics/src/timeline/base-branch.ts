import type { Instant, PullMerged } from "../events/event.js";
import type { RunFacts } from "../facts/facts.js";
import type { Span } from "../spans/spans.js";
import type { Skew } from "./skew.js";

/** The position of a commit on a base branch. */
export interface Tip {
  /** Undefined if the branch is unknown. */
  readonly base: string | undefined;
  /** The time at which the commit reached the branch. */
  readonly at: Instant;
}

/** A repository's base branches, with the order of their commits. */
export interface BaseBranches {
  /** Returns the position of a commit; undefined if it is unknown. */
  tipOf(sha: string): Tip | undefined;
  /**
   * Returns the times of the builds of the base branch that first tested a merge. These are the builds of its own
   * commit. If several merges were pushed at once (a merge queue), or a build was cancelled for a newer one, they are
   * those of the next commit that contains it.
   */
  postMergeBuilds(merged: PullMerged, skew: Skew): readonly Span[];
}

interface Build {
  readonly at: Instant;
  readonly spans: { readonly from: Instant; readonly to: Instant }[];
  wasCancelled: boolean;
}

/**
 * Orders the commits on a repository's base branches.
 * @param merges in order of time; of two with one commit, the later one counts
 * @param runs all runs of the repository, in order of their start
 */
export function openBaseBranches(
  merges: Iterable<PullMerged>,
  runs: Iterable<RunFacts>,
): BaseBranches {
  const tips = new Map<string, Tip>();
  for (const { sha, base, at } of merges) tips.set(sha, { base, at });
  const bases = new Set([...tips.values()].map(({ base }) => base));
  const builds = new Map<string, Map<string, Build>>();
  for (const { started, completed } of runs) {
    const { event, branch, sha, at } = started;
    if (event !== "push" || branch === null || !bases.has(branch)) continue;
    const tip = tips.get(sha) ?? { base: branch, at };
    tips.set(sha, tip);
    const bySha = builds.get(branch) ?? new Map<string, Build>();
    builds.set(branch, bySha);
    const build = bySha.get(sha) ?? {
      at: tip.at,
      spans: [],
      wasCancelled: false,
    };
    bySha.set(sha, build);
    build.spans.push({ from: at, to: completed?.at ?? Infinity });
    build.wasCancelled ||= completed?.conclusion === "cancelled";
  }
  const ordered = new Map(
    [...builds].map(([base, bySha]) => [
      base,
      [...bySha.values()].sort((a, b) => a.at - b.at),
    ]),
  );
  return {
    tipOf: (sha) => tips.get(sha),
    postMergeBuilds({ base, at }, skew) {
      const spans: Span[] = [];
      const list = ordered.get(base) ?? [];
      for (let index = firstFrom(list, at); index < list.length; index++) {
        const build = list[index];
        for (const { from, to } of build?.spans ?? [])
          spans.push(skew.span(from, to));
        if (!build?.wasCancelled) break;
      }
      return spans;
    },
  };
}

/** Returns the first index whose time is not before this one. */
export function firstFrom(
  list: readonly { readonly at: Instant }[],
  at: Instant,
): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((list[middle]?.at ?? 0) < at) low = middle + 1;
    else high = middle;
  }
  return low;
}
