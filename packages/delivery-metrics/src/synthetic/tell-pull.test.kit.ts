import type { Conclusion, DeliveryEvent, Job } from "../events/event.js";
import type { Stage } from "../report/stages.js";
import type { Told, ToldAttempt } from "./told.test.kit.js";

export interface TellOptions {
  readonly random: () => number;
  readonly repository: string;
}

const PACKAGES = 40;
const TEAMS = 5;
const JOBS = ["lint", "types", "unit 1", "unit 2", "unit 3", "e2e"];
const UNITS = 120;
const UNIT_MS = 30_000;

/**
 * Draws one pull request, and creates events that match it.
 * @param begin a whole second
 */
export function tellPull(
  pull: number,
  begin: number,
  { random, repository }: TellOptions,
): Told {
  const draw = drawPull(random);
  return layOut(pull, begin, repository, draw);
}

type Draw = ReturnType<typeof drawPull>;

/** Draws all random values. Durations are in milliseconds, in whole seconds. */
function drawPull(random: () => number) {
  /** Returns a duration between the two, with small ones more frequent. */
  const span = (least: number, most: number) =>
    Math.round(least + (most - least) * random() ** 3) * 1000;
  const chance = (of: number) => random() < of;
  const pushes = 1 + Math.floor(3 * random() ** 3);
  const first = Math.floor(random() * PACKAGES);
  return {
    bot: chance(0.1),
    hidden: chance(0.03),
    asDraft: chance(0.2),
    packages: chance(0.3) ? [first, (first + 7) % PACKAGES] : [first],
    beforeOpened: span(0, 1200),
    draft: span(60, 7200),
    builds: Array.from({ length: pushes }, () => ({
      wait: span(1, 300),
      build: span(120, 1800),
      // Decides the outcome: a failure that passes on retry, an infrastructure failure, or success.
      then: random(),
      pause: span(1, 600),
      retry: span(60, 900),
      review: span(60, 14_400),
    })),
    approved: span(0, 3600),
    queue: span(300, 1800),
    postMerge: span(300, 1500),
    selected: 1 + Math.floor(random() * 30),
  };
}

function layOut(
  pull: number,
  begin: number,
  repository: string,
  draw: Draw,
): Told {
  const events: DeliveryEvent[] = [];
  const attempts: ToldAttempt[] = [];
  const stages: Partial<Record<Stage, number>> = {};
  const spend = (stage: Stage, ms: number) => {
    stages[stage] = (stages[stage] ?? 0) + ms;
    now += ms;
  };
  const at = (own: object) =>
    ({ ...own, at: now, repository }) as unknown as DeliveryEvent;
  const commit = (what: string) => idOf(`${repository} ${pull} ${what}`);
  let now = begin;
  let runs = 0;

  const run = (
    trigger: "pull_request" | "merge_group" | "push",
    sha: string,
    { wait, length }: { wait: number; length: number },
    {
      outcome = "passed",
      attempt = 1,
      last = true,
    }: {
      outcome?: ToldAttempt["outcome"];
      attempt?: number;
      last?: boolean;
    } = {},
  ) => {
    if (draw.hidden && trigger !== "push") return;
    if (attempt === 1) runs++;
    const number = pull * 100 + runs;
    const ended = now + wait + length;
    attempts.push({
      at: ended,
      outcome,
      last,
      flaked: attempt > 1 && outcome === "passed",
    });
    const conclusion: Conclusion =
      outcome === "passed"
        ? "success"
        : outcome === "failed"
          ? "failure"
          : "timed_out";
    events.push(
      at({
        kind: "run-started",
        run: number,
        attempt,
        workflow: "CI",
        path: ".github/workflows/ci.yml",
        event: trigger,
        branch: {
          pull_request: `topic-${pull}`,
          push: "main",
          merge_group: `gh-readonly-queue/main/pr-${pull}-${sha}`,
        }[trigger],
        sha,
        pulls: [],
        created: now,
      }),
      {
        kind: "run-completed",
        at: ended,
        repository,
        run: number,
        attempt,
        started: now,
        conclusion,
        jobs: jobsOf(now, wait, length, conclusion),
      },
    );
  };

  events.push(
    at({
      kind: "branch-pushed",
      branch: `topic-${pull}`,
      sha: commit("head 0"),
      forced: false,
    }),
  );
  spend("draft", draw.beforeOpened);
  events.push(
    at({
      kind: "pull-opened",
      pull,
      author: draw.bot ? "robot[bot]" : `dev-${pull % 60}`,
      bot: draw.bot,
      branch: `topic-${pull}`,
      base: "main",
      draft: draw.asDraft,
      fork: false,
      title: null,
    }),
  );
  for (const [index, each] of draw.builds.entries()) {
    const sha = commit(`head ${index}`);
    if (index > 0)
      events.push(
        at({
          kind: "branch-pushed",
          branch: `topic-${pull}`,
          sha,
          forced: index === 2,
        }),
      );
    const again = each.then < 0.12;
    run(
      "pull_request",
      sha,
      { wait: each.wait, length: each.build },
      {
        outcome: each.then < 0.08 ? "failed" : again ? "machine" : "passed",
        last: !again,
      },
    );
    const inDraft = index === 0 && draw.asDraft;
    const people = inDraft ? "draft" : "review";
    // Without its builds, human and machine time cannot be distinguished.
    const machine = (stage: Stage, ms: number) =>
      spend(draw.hidden ? people : stage, ms);
    machine("queue", each.wait);
    machine("build", each.build);
    if (again) {
      spend(people, each.pause);
      run("pull_request", sha, { wait: 0, length: each.retry }, { attempt: 2 });
      machine("retry", each.retry);
    }
    if (inDraft) {
      spend("draft", draw.draft);
      events.push(at({ kind: "pull-ready", pull }));
    }
    spend("review", each.review);
  }
  const head = commit(`head ${draw.builds.length - 1}`);
  events.push(
    at({
      kind: "pull-reviewed",
      pull,
      review: pull,
      reviewer: "grace",
      bot: false,
      state: "approved",
    }),
  );
  spend("approved", draw.approved);
  events.push(at({ kind: "queue-entered", pull }));
  run("merge_group", commit("group"), {
    wait: 5000,
    length: draw.queue - 10_000,
  });
  spend("merge-queue", draw.queue);
  const merged = now;
  const packages = draw.packages.map((each) => `@acme/p${each}`);
  const owners = [
    ...new Set(draw.packages.map((each) => `@acme/team-${each % TEAMS}`)),
  ];
  events.push(
    at({
      kind: "pull-merged",
      pull,
      sha: commit("main"),
      head,
      base: "main",
      method: "queue",
    }),
    at({ kind: "pull-attributed", pull, packages, owners }),
    at({
      kind: "jobs-selected",
      plan: `plan-${pull}`,
      sha: head,
      pull,
      selected: workload(draw.selected),
      everything: workload(UNITS),
      predictedMs: 600_000,
    }),
  );
  run("push", commit("main"), { wait: 0, length: draw.postMerge });
  spend("post-merge-build", draw.postMerge);
  return {
    pull,
    bot: draw.bot,
    hidden: draw.hidden,
    packages,
    owners,
    began: begin,
    merged,
    built: now,
    stages,
    builds: draw.hidden
      ? []
      : draw.builds.map(({ wait, build }) => wait + build),
    attempts,
    plan: { selected: draw.selected, everything: UNITS },
    events,
    shifted: (by) => layOut(pull, begin + by, repository, draw),
  };
}

function workload(units: number) {
  return { jobs: Math.ceil(units / 10), units, machineMs: units * UNIT_MS };
}

/**
 * Returns six jobs. The longest takes the run's whole length after its wait. Only that job has the run's conclusion.
 */
function jobsOf(
  from: number,
  wait: number,
  length: number,
  conclusion: Conclusion,
): readonly Job[] {
  return JOBS.map((name, index) => ({
    name,
    created: from,
    started: from + wait,
    completed:
      from +
      wait +
      Math.ceil((length * (index + 1)) / JOBS.length / 1000) * 1000,
    conclusion: index === JOBS.length - 1 ? conclusion : "success",
  }));
}

/** Returns a realistic commit id: five 32-bit FNV-1a hashes of a text, each with another start value. */
function idOf(text: string): string {
  return [1, 2, 3, 4, 5]
    .map((salt) => {
      let hash = 0x811c9dc5 ^ Math.imul(salt, 0x9e3779b9);
      for (let index = 0; index < text.length; index++)
        hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
      // FNV's last step affects only the low bits.
      hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
      return (hash >>> 0).toString(16).padStart(8, "0");
    })
    .join("");
}
