import { expect, test } from "@jest/globals";
import type { DeliveryEvent, Job } from "../events/event.js";
import {
  at,
  event,
  marked,
  merged,
  minutes,
  opened,
  published,
  pushed,
  reviewed,
  run,
  sha,
} from "../story.test.kit.js";
import { makeReport } from "./make-report.js";
import type { DeliveryReport } from "./report.js";

const DAY = 24 * 60;

/** Returns a report of 6 weeks, as of 5 weeks after the start, in which one pull request has percentiles. */
function report(events: readonly DeliveryEvent[]): DeliveryReport {
  return makeReport(events, { asOf: at(35 * DAY), days: 42, minimum: 1 });
}

/**
 * Returns those stages of the story's only pull request that took any time, in minutes; or the reason for its
 * exclusion.
 */
function reported(events: readonly DeliveryEvent[]): string {
  const { slowest, coverage } = report(events);
  const only = slowest[0];
  if (!only) return coverage.excluded.map(({ reason }) => reason).join();
  const { stages, gross, headline, machine } = only;
  const inMinutes = (all: Readonly<Record<string, number | null>>) =>
    Object.entries(all)
      .map(([name, ms]) => `${name} ${ms === null ? null : minutes(ms)}`)
      .join(", ");
  const took = Object.entries(stages).filter(([, ms]) => ms > 0);
  return [Object.fromEntries(took), { gross, headline, machine }]
    .map(inMinutes)
    .filter((text) => text !== "")
    .join("; ");
}

const simple = [
  pushed(1, 0),
  opened(1, 5),
  ...run(1, 5, 15, { wait: 2 }),
  reviewed(1, 65),
  merged(1, 75),
];

const job = (name: string, from: number, to: number): Job => ({
  ...{ name, created: at(from), started: at(from), completed: at(to) },
  conclusion: "success",
});
const legs = [
  job("ci / plan", 0, 2),
  job("ci / packages (packages-1)", 3, 20),
  job("ci / packages (packages-2)", 3, 12),
  job("ci / judge", 21, 22),
  job("ci / verdict", 23, 24),
];
const judged = event("run-judged", 0, {
  ...{ plan: "p", sha: sha("x"), pull: null, units: 1 },
  ...{ flaky: [], infrastructure: [], failed: [], setupMs: 4 * 60_000 },
});

test.each<[string, readonly DeliveryEvent[], string]>([
  [
    "a run of ci-dispatch: what the pipeline itself takes, where nothing is tested",
    [opened(1, 0), judged, ...run(1, 0, 24, { jobs: legs }), merged(1, 24)],
    "build 13, plan 2, set-up 4, judge 2, queue 3; gross 24, headline 24, machine 24",
  ],
  [
    "a run of ci-dispatch without a measured set-up, beside another workflow",
    [
      opened(1, 0),
      ...run(1, 0, 24, { jobs: legs }),
      // It has a plan, too, and it has no verdict.
      ...run(2, 0, 1, { jobs: [job("plan", 0, 1)] }),
      merged(1, 24),
    ],
    "build 18, plan 1, judge 2, queue 3; gross 24, headline 24, machine 24",
  ],
  [
    "a push, a build beside the review, an approval, a merge",
    simple,
    "draft 5, review 50, approved 10, build 8, queue 2; gross 75, headline 10, machine 10",
  ],
  [
    "a post-merge build, a wait and a publication",
    [
      ...simple,
      ...run(2, 75, 95, {
        event: "push",
        branch: "main",
        sha: sha("main 1"),
      }),
      published(110, { started: at(100) }),
    ],
    "draft 5, review 50, approved 10, build 8, queue 2, post-merge-build 20, publish 10, publish-wait 5; gross 110, headline 45, machine 40",
  ],
  [
    "a retry costs what its attempts take after the first",
    [
      opened(1, 0),
      ...run(1, 0, 10, { conclusion: "failure" }),
      ...run(1, 30, 36, { attempt: 2 }),
      merged(1, 40),
    ],
    "review 24, build 10, retry 6; gross 40, headline 16, machine 16",
  ],
  [
    "a retry of one workflow while another still runs costs nothing",
    [
      opened(1, 0),
      ...run(1, 0, 5, { conclusion: "failure" }),
      ...run(1, 5, 12, { attempt: 2 }),
      ...run(2, 0, 20),
      merged(1, 20),
    ],
    "build 20; gross 20, headline 20, machine 20",
  ],
  [
    "drafts: what machines do then counts, what people do not",
    [
      opened(1, 0, { draft: true }),
      ...run(1, 0, 10),
      marked("pull-ready", 1, 60),
      marked("pull-draft", 1, 70),
      marked("pull-ready", 1, 90),
      reviewed(1, 95),
      merged(1, 100),
    ],
    "draft 70, review 15, approved 5, build 10; gross 100, headline 10, machine 10",
  ],
  [
    "closed and reopened",
    [
      opened(1, 0),
      ...run(1, 0, 10),
      marked("pull-closed", 1, 20),
      marked("pull-reopened", 1, 50),
      merged(1, 60),
    ],
    "draft 30, review 20, build 10; gross 60, headline 10, machine 10",
  ],
  [
    "a dismissed review approves no longer; programs and comments never do",
    [
      opened(1, 0),
      ...run(1, 0, 10),
      reviewed(1, 12, { bot: true, reviewer: "robot", review: 1 }),
      reviewed(1, 20, { review: 2 }),
      event("pull-review-dismissed", 30, { pull: 1, review: 2 }),
      reviewed(1, 50, { review: 3 }),
      reviewed(1, 55, { state: "commented", review: 4 }),
      merged(1, 60),
    ],
    "review 30, approved 20, build 10; gross 60, headline 10, machine 10",
  ],
  [
    "someone's request for changes outweighs another's approval",
    [
      opened(1, 0),
      ...run(1, 0, 10),
      reviewed(1, 10, { reviewer: "grace", review: 1 }),
      reviewed(1, 20, {
        reviewer: "linus",
        review: 2,
        state: "changes-requested",
      }),
      reviewed(1, 50, { reviewer: "linus", review: 3 }),
      merged(1, 60),
    ],
    "review 30, approved 20, build 10; gross 60, headline 10, machine 10",
  ],
  [
    "force-pushes: the builds of commits that are gone were waited for all the same",
    [
      pushed(1, 0, "first"),
      opened(1, 0),
      ...run(1, 0, 10, { sha: sha("first") }),
      pushed(1, 30, "head 1", true),
      ...run(2, 30, 45),
      merged(1, 50),
    ],
    "review 25, build 25; gross 50, headline 25, machine 25",
  ],
  [
    "a merge queue: its builds are in it, and being thrown out is review again",
    [
      opened(1, 0),
      ...run(1, 0, 10),
      marked("queue-entered", 1, 20),
      event("queue-left", 30, { pull: 1, reason: "failed_checks" }),
      marked("queue-entered", 1, 40),
      ...run(2, 41, 60, {
        event: "merge_group",
        branch: "gh-readonly-queue/main/pr-1-0123456789abcdef",
        sha: sha("group"),
      }),
      merged(1, 61, { method: "queue" }),
      event("queue-left", 61, { pull: 1, reason: "merged" }),
    ],
    "review 20, build 10, merge-queue 31; gross 61, headline 41, machine 41",
  ],
  [
    "a group of the queue is pushed as one: the build of its last commit counts for all",
    [
      opened(1, 0),
      ...run(1, 0, 10),
      merged(1, 20, { method: "queue" }),
      merged(2, 20, { method: "queue" }),
      ...run(3, 21, 31, { event: "push", branch: "main", sha: sha("main 2") }),
      published(40, { sha: sha("main 2") }),
    ],
    "review 10, build 10, post-merge-build 10, publish-wait 10; gross 40, headline 30, machine 20",
  ],
  [
    "a post-merge build that was cancelled for a newer commit goes on in that one's",
    [
      opened(1, 0),
      ...run(1, 0, 10),
      merged(1, 10, { method: "rebase" }),
      ...run(2, 10, 12, {
        event: "push",
        branch: "main",
        sha: sha("main 1"),
        conclusion: "cancelled",
      }),
      ...run(3, 12, 30, { event: "push", branch: "main", sha: sha("direct") }),
      ...run(4, 31, 90, { event: "push", branch: "main", sha: sha("later") }),
      published(50, { sha: sha("direct") }),
    ],
    "build 10, post-merge-build 20, publish-wait 20; gross 50, headline 50, machine 30",
  ],
  [
    "after a fast-forward main has the same commit: its build doesn't belong to the pull request",
    [
      opened(1, 0),
      ...run(1, 0, 10),
      merged(1, 20, { sha: sha("head 1"), method: "rebase" }),
      ...run(2, 20, 29, { event: "push", branch: "main" }),
      ...run(3, 5, 25, { event: "schedule", branch: "main" }),
      published(30, { sha: sha("head 1") }),
    ],
    "review 10, build 10, post-merge-build 9, publish-wait 1; gross 30, headline 20, machine 19",
  ],
  [
    "clocks that differ: a job and a publication before their time are nothing",
    [
      opened(1, 0),
      ...run(1, 0, 10, {
        jobs: [
          {
            name: "test",
            created: at(0),
            started: at(9),
            completed: at(8),
            conclusion: "success",
          },
          {
            name: "lint",
            created: at(0),
            started: at(4),
            completed: at(10),
            conclusion: "success",
          },
        ],
      }),
      merged(1, 20),
      published(19, { pulls: [1] }),
    ],
    "review 10, build 6, queue 4; gross 20, headline 10, machine 10",
  ],
  [
    "fast-forwarded: the build of the base branch doesn't belong to it, though its clock shows a start before the merge",
    [
      opened(1, 0),
      ...run(1, 0, 10),
      ...run(2, 18, 30, { event: "push", branch: "main" }),
      merged(1, 20, { sha: sha("head 1") }),
    ],
    "review 10, build 10; gross 20, headline 10, machine 10",
  ],
  [
    "pushed after its merge: an earlier build of that commit on another branch doesn't belong to it",
    [
      opened(1, 0),
      ...run(1, 0, 10),
      ...run(2, 12, 18, { event: "push", branch: "else", sha: sha("other") }),
      merged(1, 20),
      pushed(1, 25, "other"),
    ],
    "review 10, build 10; gross 20, headline 10, machine 10",
  ],
  [
    "by the clock, opened after it was merged",
    [opened(1, 25), ...run(1, 0, 10), merged(1, 20)],
    "gross 0, headline 0, machine 0",
  ],
  [
    "without a run there is a gross lead time, and nothing else is claimed",
    [opened(1, 0), reviewed(1, 20), merged(1, 30)],
    "review 20, approved 10; gross 30, headline null, machine null",
  ],
  [
    "a run still going",
    [opened(1, 0), ...run(1, 34 * DAY, null), merged(1, 34 * DAY + 1)],
    "run-going",
  ],
  [
    "a run that GitHub has forgotten",
    [
      opened(1, -40 * DAY),
      ...run(1, -40 * DAY, null),
      ...run(2, 0, 10),
      merged(1, 20),
    ],
    "review 57610, build 10; gross 57620, headline 10, machine 10",
  ],
  [
    "taken back before it was published",
    [...simple, event("pull-reverted", 80, { pull: 1, by: 2 }), published(110)],
    "reverted-before",
  ],
  [
    "a program's",
    [opened(1, 0, { bot: true }), ...run(1, 0, 10), merged(1, 20)],
    "bot",
  ],
  [
    "whose beginning is unknown",
    [merged(1, 20), ...run(1, 0, 10)],
    "no-beginning",
  ],
])("%s", (_, events, expected) => {
  expect(reported(events)).toEqual(expected);
});

test("spans that end before they start are counted", () => {
  const skewed = [
    opened(1, 25),
    ...run(1, 10, 0),
    merged(1, 20),
    published(19, { pulls: [1], started: at(30) }),
  ];
  // Five spans are skewed: the opening is after the merge, a run and its job are, the publication is before the merge,
  // and its end is before its start.
  expect(report(skewed).coverage.skewedSpans).toBe(5);
});

test("a revert after the publication doesn't change it", () => {
  const { coverage } = report([
    ...simple,
    published(110),
    event("pull-reverted", 120, { pull: 1, by: 2 }),
  ]);
  expect(coverage).toMatchObject({ measured: 1, reverted: 1, excluded: [] });
});
