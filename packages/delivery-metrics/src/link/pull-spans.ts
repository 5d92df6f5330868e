import type {
  DeliveryEvent,
  Instant,
  PullOpened,
  RunStarted,
} from "../events/event.js";

/** A pull request and how long it was open. */
export interface PullSpan {
  readonly opened: PullOpened;
  /** When it was merged, or closed for good; infinite where it is open. */
  readonly end: Instant;
  /** Commits that are known to be its own. */
  readonly shas: Set<string>;
}

/** The pull requests of each repository, by number and by head branch. */
export interface PullSpans {
  readonly byNumber: ReadonlyMap<string, PullSpan>;
  /** In the order in which they were opened. */
  readonly byBranch: ReadonlyMap<string, readonly PullSpan[]>;
}

export function pullKey(repository: string, pull: number): string {
  return `${repository} ${pull}`;
}

export function branchKey(repository: string, branch: string): string {
  return `${repository} ${branch}`;
}

/** @param events merged, so in order of time */
export function pullSpans(events: readonly DeliveryEvent[]): PullSpans {
  const ends = new Map<string, Instant>();
  const shas = new Map<string, Set<string>>();
  for (const event of events) {
    if (!("pull" in event) || event.pull === null) continue;
    const key = pullKey(event.repository, event.pull);
    if (event.kind === "pull-merged" || event.kind === "pull-closed")
      ends.set(key, event.at);
    if (event.kind === "pull-reopened") ends.delete(key);
    const own = shas.get(key) ?? new Set();
    if (event.kind === "pull-pushed") shas.set(key, own.add(event.sha));
    if (event.kind === "pull-merged") shas.set(key, own.add(event.head));
  }
  const byNumber = new Map<string, PullSpan>();
  const byBranch = new Map<string, PullSpan[]>();
  for (const opened of events) {
    if (opened.kind !== "pull-opened") continue;
    const key = pullKey(opened.repository, opened.pull);
    const end = ends.get(key) ?? Infinity;
    const span = { opened, end, shas: shas.get(key) ?? new Set<string>() };
    byNumber.set(key, span);
    const branch = branchKey(opened.repository, opened.branch);
    byBranch.set(branch, [...(byBranch.get(branch) ?? []), span]);
  }
  return { byNumber, byBranch };
}

/**
 * The pull request that a run was for. Where several were open from branches of that name (forks mostly have a `patch-1`), the one
 * that has the run's commit.
 */
export function pullOfRun(
  { byNumber, byBranch }: PullSpans,
  { repository, event, branch, created, sha }: RunStarted,
): PullSpan | undefined {
  if (branch === null) return undefined;
  if (event === "merge_group") {
    const [, number] = /^gh-readonly-queue\/.+\/pr-(\d+)-/.exec(branch) ?? [];
    return byNumber.get(pullKey(repository, Number(number)));
  }
  if (event !== "pull_request" && event !== "pull_request_target")
    return undefined;
  const open = (byBranch.get(branchKey(repository, branch)) ?? []).filter(
    ({ opened, end }) => opened.at <= created && created <= end,
  );
  if (open.length <= 1) return open[0];
  const own = open.filter(({ shas }) => shas.has(sha));
  return own.length === 1 ? own[0] : undefined;
}
