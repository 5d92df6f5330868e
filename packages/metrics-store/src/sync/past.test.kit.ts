import { createHash } from "node:crypto";
import { seededRandom } from "@skein/delivery-metrics";
import type {
  FakeDelivery,
  RecordedAttempt,
  RecordedItem,
  RecordedRun,
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
export function fillPast(
  delivery: FakeDelivery,
  { seed, pulls, start, days, rerunOneOf = 10 }: PastSpec,
): void {
  const random = seededRandom(seed);
  const upTo = (most: number) => Math.floor(random() * most);
  const oneOf = (many: number) => upTo(many) === 0;
  let id = 15_000_000_000;
  const second = (at: number) => Math.floor(at / 1000) * 1000;
  const sha = (...of: (string | number)[]) =>
    createHash("sha1")
      .update([seed, ...of].join())
      .digest("hex");

  function attempt(at: number, conclusion: string): RecordedAttempt {
    const jobs = ["lint", "test (1)", "test (2)"].map((name, index) => {
      const createdAt = second(at + index * 1000);
      const startedAt = createdAt + 1000 * (1 + upTo(60));
      return {
        id: ++id,
        name,
        createdAt,
        startedAt,
        completedAt: startedAt + 1000 * (30 + upTo(600)),
        conclusion: index === 1 ? conclusion : "success",
      };
    });
    return { startedAt: second(at), conclusion, jobs };
  }
  function run(
    at: number,
    event: string,
    branch: string,
    head: string,
    path = ".github/workflows/ci.yml",
  ): RecordedRun {
    const attempts = [attempt(at, oneOf(rerunOneOf) ? "failure" : "success")];
    if (attempts[0]?.conclusion === "failure") {
      const again = attempt(at + HOUR, "success");
      // Only failed jobs run again. GitHub lists the others again, with their old times.
      const jobs = again.jobs.map((job, index) =>
        index === 1 ? job : { ...job, ...attempts[0]?.jobs[index], id: job.id },
      );
      attempts.push({ ...again, jobs });
      if (oneOf(3)) attempts.push(attempt(at + 3 * HOUR, "success"));
    }
    return { id: ++id, path, event, branch, sha: head, attempts };
  }

  for (let number = 1; number <= pulls; number++) {
    const pushed = second(start + (number / pulls) * days * DAY);
    const branch = oneOf(20) ? "patch-1" : `feature-${number}`;
    const fork = oneOf(6);
    const openedAt = pushed + 1000 * (30 + upTo(3600));
    const timeline: RecordedItem[] = [];
    const heads = [sha(number, 0)];
    let at = openedAt;
    const later = (most: number) => (at += 1000 * (60 + upTo(most / 1000)));
    const push = (head: string, when: number, type: "push" | "force_push") => {
      if (!fork)
        delivery.pushes.push({
          at: when,
          ref: `refs/heads/${branch}`,
          after: head,
          type: when === pushed ? "branch_creation" : type,
        });
      if (type === "force_push")
        timeline.push({ is: "HeadRefForcePushedEvent", at: when, after: head });
    };
    push(heads[0] ?? "", pushed, "push");
    delivery.runs.push(
      run(openedAt + 5000, "pull_request", branch, heads[0] ?? ""),
    );
    const draft = oneOf(4);
    if (draft)
      timeline.push({ is: "ReadyForReviewEvent", at: later(3 * HOUR) });
    for (let more = upTo(3); more > 0; more--) {
      const head = sha(number, more);
      heads.push(head);
      push(head, later(5 * HOUR), oneOf(4) ? "force_push" : "push");
      delivery.runs.push(run(at + 5000, "pull_request", branch, head));
      const review = ++id;
      const state = oneOf(3) ? "CHANGES_REQUESTED" : "COMMENTED";
      timeline.push({
        is: "PullRequestReview",
        at: later(6 * HOUR),
        id: review,
        author: "ann",
        state,
      });
      if (oneOf(3))
        timeline.push({
          is: "ReviewDismissedEvent",
          at: later(HOUR),
          id: review,
        });
    }
    timeline.push({
      is: "PullRequestReview",
      at: later(8 * HOUR),
      id: ++id,
      author: "bob",
      state: "APPROVED",
    });
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
    const mergedAt = later(HOUR);
    delivery.pulls.push({
      number,
      title: `Change ${number}`,
      author: oneOf(8) ? "renovate[bot]" : oneOf(30) ? null : `user${upTo(9)}`,
      branch,
      fork,
      openedAt,
      draft,
      head: heads.at(-1) ?? "",
      files: [`packages/p${upTo(5)}/index.js`],
      timeline,
      ...(!isClosed && {
        merge: {
          at: mergedAt,
          sha: sha(number, "merged"),
          parents: 1 + upTo(2),
        },
      }),
    });
    if (isClosed) continue;
    const merged = sha(number, "merged");
    delivery.pushes.push({
      at: mergedAt,
      ref: "refs/heads/main",
      after: merged,
      type: "pr_merge",
    });
    delivery.runs.push(run(mergedAt + 3000, "push", "main", merged));
    if (number % 10 === 0) {
      const publishedAt = mergedAt + 2 * HOUR;
      delivery.runs.push(
        run(
          mergedAt + HOUR,
          "push",
          "main",
          merged,
          ".github/workflows/release.yml",
        ),
      );
      delivery.releases.push({
        tag: `v${number}.0.0`,
        sha: merged,
        createdAt: mergedAt + HOUR,
        publishedAt,
      });
      delivery.tags.push({
        name: `v${number}.0.0`,
        sha: merged,
        at: publishedAt,
        annotated: true,
      });
      delivery.deployments.push({
        id: 4_000_000_000 + number,
        environment: "production",
        sha: merged,
        at: publishedAt,
        statuses: [
          { state: "IN_PROGRESS", at: publishedAt + MINUTE },
          { state: "SUCCESS", at: publishedAt + 9 * MINUTE },
        ],
      });
    }
  }
}
