import { createHash } from "node:crypto";
import { seededRandom } from "@skein/delivery-metrics";
import type {
  FakeDelivery,
  RecordedAttempt,
  RecordedItem,
} from "@skein/testing";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export interface PastSpec {
  readonly seed: number;
  readonly pulls: number;
  /** The time of the first pull request's first push, in milliseconds since 1970. The last one's is `days` later. */
  readonly start: number;
  readonly days: number;
  /** One of this many runs is re-run. */
  readonly rerunOneOf?: number;
}

/**
 * Fills a repository's past with pull requests of all kinds, each with pushes, reviews, runs for each push, and a run
 * after its merge.
 */
export function fillPast(delivery: FakeDelivery, spec: PastSpec): void {
  const dice = openDice(spec.seed);
  const past: Past = { ...dice, delivery, rerunOneOf: spec.rerunOneOf ?? 10 };
  for (let number = 1; number <= spec.pulls; number++) {
    const pushed = spec.start + (number / spec.pulls) * spec.days * DAY;
    const pull = openPull(past, number, second(pushed));
    fillPushes(past, pull);
    const merge = fillEnd(past, pull);
    if (!merge) continue;
    fillMerge(past, merge);
    if (number % 10 === 0) fillRelease(past, number, merge);
  }
}

/** A repository's past, and the values that are drawn for it. */
interface Past extends Dice {
  readonly delivery: FakeDelivery;
  readonly rerunOneOf: number;
}

type Dice = ReturnType<typeof openDice>;

function openDice(seed: number) {
  const random = seededRandom(seed);
  const upTo = (most: number) => Math.floor(random() * most);
  let id = 15_000_000_000;
  return {
    upTo,
    oneOf: (many: number) => upTo(many) === 0,
    nextId: () => ++id,
    sha: (...of: (string | number)[]) =>
      createHash("sha1")
        .update([seed, ...of].join())
        .digest("hex"),
  };
}

const second = (at: number) => Math.floor(at / 1000) * 1000;

function attemptAt(
  { upTo, nextId }: Dice,
  at: number,
  conclusion: string,
): RecordedAttempt {
  const jobs = ["lint", "test (1)", "test (2)"].map((name, index) => {
    const createdAt = second(at + index * 1000);
    const startedAt = createdAt + 1000 * (1 + upTo(60));
    return {
      id: nextId(),
      name,
      createdAt,
      startedAt,
      completedAt: startedAt + 1000 * (30 + upTo(600)),
      conclusion: index === 1 ? conclusion : "success",
    };
  });
  return { startedAt: second(at), conclusion, jobs };
}

function fillRun(
  past: Past,
  at: number,
  event: string,
  branch: string,
  head: string,
  path = ".github/workflows/ci.yml",
): void {
  const isFailed = past.oneOf(past.rerunOneOf);
  const attempts = [attemptAt(past, at, isFailed ? "failure" : "success")];
  if (isFailed) {
    const again = attemptAt(past, at + HOUR, "success");
    // Only failed jobs run again. GitHub lists the others again, with their old times.
    const jobs = again.jobs.map((job, index) =>
      index === 1 ? job : { ...job, ...attempts[0]?.jobs[index], id: job.id },
    );
    attempts.push({ ...again, jobs });
    if (past.oneOf(3)) attempts.push(attemptAt(past, at + 3 * HOUR, "success"));
  }
  const id = past.nextId();
  past.delivery.runs.push({ id, path, event, branch, sha: head, attempts });
}

type PullPast = ReturnType<typeof openPull>;

/** @param pushed the time of its first push, in whole seconds */
function openPull({ upTo, oneOf, sha }: Dice, number: number, pushed: number) {
  const branch = oneOf(20) ? "patch-1" : `feature-${number}`;
  const fork = oneOf(6);
  const openedAt = pushed + 1000 * (30 + upTo(3600));
  let at = openedAt;
  return {
    number,
    branch,
    fork,
    pushed,
    openedAt,
    timeline: [] as RecordedItem[],
    heads: [sha(number, 0)],
    /** Returns a time after the one that it returned last. */
    later: (most: number) => (at += 1000 * (60 + upTo(most / 1000))),
    isDraft: false,
  };
}

/** Pushes and reviews, until the pull request is approved. */
function fillPushes(past: Past, pull: PullPast): void {
  const { upTo, oneOf, nextId, sha, delivery } = past;
  const { number, branch, timeline, heads, later } = pull;
  const push = (head: string, when: number, type: "push" | "force_push") => {
    if (!pull.fork)
      delivery.pushes.push({
        at: when,
        ref: `refs/heads/${branch}`,
        after: head,
        type: when === pull.pushed ? "branch_creation" : type,
      });
    if (type === "force_push")
      timeline.push({ is: "HeadRefForcePushedEvent", at: when, after: head });
  };
  const review = (
    at: number,
    id: number,
    author: string,
    state: "APPROVED" | "CHANGES_REQUESTED" | "COMMENTED",
  ) => {
    timeline.push({ is: "PullRequestReview", at, id, author, state });
  };
  const [first = ""] = heads;
  push(first, pull.pushed, "push");
  fillRun(past, pull.openedAt + 5000, "pull_request", branch, first);
  pull.isDraft = oneOf(4);
  if (pull.isDraft)
    timeline.push({ is: "ReadyForReviewEvent", at: later(3 * HOUR) });
  for (let more = upTo(3); more > 0; more--) {
    const head = sha(number, more);
    heads.push(head);
    const at = later(5 * HOUR);
    push(head, at, oneOf(4) ? "force_push" : "push");
    fillRun(past, at + 5000, "pull_request", branch, head);
    const id = nextId();
    const state = oneOf(3) ? "CHANGES_REQUESTED" : "COMMENTED";
    review(later(6 * HOUR), id, "ann", state);
    if (oneOf(3))
      timeline.push({ is: "ReviewDismissedEvent", at: later(HOUR), id });
  }
  review(later(8 * HOUR), nextId(), "bob", "APPROVED");
}

/** A merge: its time and its commit. */
interface MergePast {
  readonly at: number;
  readonly sha: string;
}

/** Closes or merges the pull request. @returns its merge; undefined if it is closed */
function fillEnd(
  { upTo, oneOf, sha, delivery }: Past,
  { number, branch, fork, timeline, heads, later, ...pull }: PullPast,
): MergePast | undefined {
  if (oneOf(10)) {
    timeline.push({ is: "ClosedEvent", at: later(HOUR) });
    if (oneOf(2)) timeline.push({ is: "ReopenedEvent", at: later(HOUR) });
  }
  const isClosed = timeline.at(-1)?.is === "ClosedEvent";
  const queued = oneOf(5);
  if (queued && !isClosed)
    timeline.push(
      { is: "AddedToMergeQueueEvent", at: later(HOUR) },
      { is: "RemovedFromMergeQueueEvent", at: later(HOUR), reason: "merge" },
    );
  const merge = { at: later(HOUR), sha: sha(number, "merged") };
  delivery.pulls.push({
    number,
    title: `Change ${number}`,
    author: oneOf(8) ? "renovate[bot]" : oneOf(30) ? null : `user${upTo(9)}`,
    branch,
    fork,
    openedAt: pull.openedAt,
    draft: pull.isDraft,
    head: heads.at(-1) ?? "",
    files: [`packages/p${upTo(5)}/index.js`],
    timeline,
    ...(!isClosed && { merge: { ...merge, parents: 1 + upTo(2) } }),
  });
  return isClosed ? undefined : merge;
}

function fillMerge(past: Past, { at, sha }: MergePast): void {
  past.delivery.pushes.push({
    at,
    ref: "refs/heads/main",
    after: sha,
    type: "pr_merge",
  });
  fillRun(past, at + 3000, "push", "main", sha);
}

/** Publishes and deploys a merge. */
function fillRelease(past: Past, number: number, { at, sha }: MergePast): void {
  const { delivery } = past;
  const createdAt = at + HOUR;
  const publishedAt = at + 2 * HOUR;
  const workflow = ".github/workflows/release.yml";
  const tag = `v${number}.0.0`;
  fillRun(past, createdAt, "push", "main", sha, workflow);
  delivery.releases.push({ tag, sha, createdAt, publishedAt });
  delivery.tags.push({ name: tag, sha, at: publishedAt, annotated: true });
  delivery.deployments.push({
    id: 4_000_000_000 + number,
    environment: "production",
    sha,
    at: publishedAt,
    statuses: [
      { state: "IN_PROGRESS", at: publishedAt + MINUTE },
      { state: "SUCCESS", at: publishedAt + 9 * MINUTE },
    ],
  });
}
