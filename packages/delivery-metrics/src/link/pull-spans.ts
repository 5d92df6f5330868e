import type {
  DeliveryEvent,
  EventOf,
  Instant,
  RunStarted,
} from "../events/event.js";

/** A pull request and the time during which it was open. */
export interface PullSpan {
  readonly opened: EventOf<"pull-opened">;
  /** The time at which it was merged, or finally closed; infinite if it is open. */
  readonly end: Instant;
  /** The commits with a known push. */
  readonly pushed: Set<string>;
  /** Its head when it was merged. */
  readonly head: string | undefined;
}

/** The pull requests of each repository, by number and by head branch. */
export interface PullSpans {
  readonly byNumber: ReadonlyMap<string, PullSpan>;
  /** In the order in which they were opened. */
  readonly byBranch: ReadonlyMap<string, readonly PullSpan[]>;
}

/** Returns the key of a pull request: its repository and its number. */
export function pullKey(repository: string, pull: number): string {
  return `${repository} ${pull}`;
}

function keyOf({
  repository,
  pull,
}: {
  readonly repository: string;
  readonly pull: number;
}): string {
  return pullKey(repository, pull);
}

/** Returns the key of a branch: its repository and its name. */
export function branchKey(repository: string, branch: string): string {
  return `${repository} ${branch}`;
}

/**
 * Collects when each pull request was open, and the commits of its head.
 * @param events merged, so in order of time
 */
export function pullSpans(events: readonly DeliveryEvent[]): PullSpans {
  const ends = new Map<string, Instant>();
  const heads = new Map<string, string>();
  const pushed = new Map<string, Set<string>>();
  for (const event of events) {
    if (event.kind === "pull-reopened") ends.delete(keyOf(event));
    if (event.kind === "pull-closed" || event.kind === "pull-merged")
      ends.set(keyOf(event), event.at);
    if (event.kind === "pull-merged") heads.set(keyOf(event), event.head);
    if (event.kind === "pull-pushed") {
      const key = keyOf(event);
      const own = pushed.get(key);
      if (own) own.add(event.sha);
      else pushed.set(key, new Set([event.sha]));
    }
  }
  const byNumber = new Map<string, PullSpan>();
  const byBranch = new Map<string, PullSpan[]>();
  for (const opened of events) {
    if (opened.kind !== "pull-opened") continue;
    const key = keyOf(opened);
    const end = ends.get(key) ?? Infinity;
    const span = {
      opened,
      end,
      pushed: pushed.get(key) ?? new Set<string>(),
      head: heads.get(key),
    };
    byNumber.set(key, span);
    const branch = branchKey(opened.repository, opened.branch);
    const ofBranch = byBranch.get(branch);
    if (ofBranch) ofBranch.push(span);
    else byBranch.set(branch, [span]);
  }
  return { byNumber, byBranch };
}

/**
 * Returns the pull request that a run was for. If several were open from branches of that name (many forks use
 * `patch-1`), it returns the one that has the run's commit.
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
  const open = byBranch
    .get(branchKey(repository, branch))
    ?.filter(({ opened, end }) => opened.at <= created && created <= end);
  if (!open || open.length <= 1) return open?.[0];
  const own = open.filter(
    ({ pushed, head }) => head === sha || pushed.has(sha),
  );
  return own.length === 1 ? own[0] : undefined;
}
