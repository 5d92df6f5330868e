import type { Conclusion, DeliveryEvent, Job } from "../events/event.js";
import type { Stage } from "../report/stages.js";
import type { DrawnPull, DrawnAttempt } from "./drawn-pull.test.kit.js";

export interface DrawOptions {
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
export function drawPull(
  pull: number,
  begin: number,
  { random, repository }: DrawOptions,
): DrawnPull {
  const draw = drawValues(random);
  return layOut(pull, begin, repository, draw);
}

type Draw = ReturnType<typeof drawValues>;

/** Draws all random values. Durations are in milliseconds, in whole seconds. */
function drawValues(random: () => number) {
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

/** Creates the events of a pull request, and the values that a report of them has to show. */
function layOut(
  pull: number,
  begin: number,
  repository: string,
  draw: Draw,
): DrawnPull {
  const story = openStory(pull, begin, repository, draw);
  drawOpening(story);
  for (const index of draw.builds.keys()) drawBuild(story, index);
  const merged = drawMerge(story);
  return {
    pull,
    bot: draw.bot,
    hidden: draw.hidden,
    packages: story.packages,
    owners: story.owners,
    began: begin,
    merged,
    built: story.now(),
    stages: story.stages,
    builds: draw.hidden
      ? []
      : draw.builds.map(({ wait, build }) => wait + build),
    attempts: story.attempts,
    plan: { selected: draw.selected, everything: UNITS },
    events: story.events,
    shifted: (by) => layOut(pull, begin + by, repository, draw),
  };
}

/** A pull request while its events are created in order. */
type Story = ReturnType<typeof openStory>;

function openStory(
  pull: number,
  begin: number,
  repository: string,
  draw: Draw,
) {
  const events: DeliveryEvent[] = [];
  const attempts: DrawnAttempt[] = [];
  const stages: Partial<Record<Stage, number>> = {};
  let now = begin;
  let runs = 0;
  return {
    pull,
    draw,
    events,
    attempts,
    stages,
    packages: draw.packages.map((each) => `@acme/p${each}`),
    owners: [
      ...new Set(draw.packages.map((each) => `@acme/team-${each % TEAMS}`)),
    ],
    now: () => now,
    /** Lets time pass in a stage. */
    spend: (stage: Stage, ms: number) => {
      stages[stage] = (stages[stage] ?? 0) + ms;
      now += ms;
    },
    /** Adds events of this moment, if they have no time of their own. */
    tell: (...own: readonly object[]) => {
      for (const each of own)
        events.push({
          at: now,
          ...each,
          repository,
        } as unknown as DeliveryEvent);
    },
    commit: (what: string) => idOf(`${repository} ${pull} ${what}`),
    /** Returns the number of a run; each first attempt begins a new run. */
    runOf: (attempt: number) => {
      if (attempt === 1) runs++;
      return pull * 100 + runs;
    },
  };
}

const CONCLUSIONS: Readonly<Record<DrawnAttempt["outcome"], Conclusion>> = {
  passed: "success",
  failed: "failure",
  machine: "timed_out",
};

/** Adds an attempt of a run that starts now. */
function drawRun(
  { pull, draw, attempts, now, tell, runOf }: Story,
  trigger: "pull_request" | "merge_group" | "push",
  sha: string,
  { wait, length }: { readonly wait: number; readonly length: number },
  {
    outcome = "passed",
    attempt = 1,
    last = true,
  }: Partial<Pick<DrawnAttempt, "outcome" | "last">> & {
    readonly attempt?: number;
  } = {},
): void {
  if (draw.hidden && trigger !== "push") return;
  const run = runOf(attempt);
  const begun = now();
  const ended = begun + wait + length;
  const flaked = attempt > 1 && outcome === "passed";
  attempts.push({ at: ended, outcome, last, flaked });
  const conclusion = CONCLUSIONS[outcome];
  tell(
    {
      kind: "run-started",
      run,
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
      created: begun,
    },
    {
      kind: "run-completed",
      at: ended,
      run,
      attempt,
      started: begun,
      conclusion,
      jobs: jobsOf(begun, wait, length, conclusion),
    },
  );
}

function drawOpening({ pull, draw, tell, spend, commit }: Story): void {
  const branch = `topic-${pull}`;
  tell({ kind: "branch-pushed", branch, sha: commit("head 0"), forced: false });
  spend("draft", draw.beforeOpened);
  tell({
    kind: "pull-opened",
    pull,
    author: draw.bot ? "robot[bot]" : `dev-${pull % 60}`,
    bot: draw.bot,
    branch,
    base: "main",
    draft: draw.asDraft,
    fork: false,
    title: null,
  });
}

/** Adds a push, its runs and its review. */
function drawBuild(story: Story, index: number): void {
  const { pull, draw, tell, spend } = story;
  const each = draw.builds[index];
  if (!each) return;
  const sha = story.commit(`head ${index}`);
  if (index > 0)
    tell({
      kind: "branch-pushed",
      branch: `topic-${pull}`,
      sha,
      forced: index === 2,
    });
  const again = each.then < 0.12;
  const outcome = each.then < 0.08 ? "failed" : again ? "machine" : "passed";
  const { wait, build, pause, retry } = each;
  drawRun(
    story,
    "pull_request",
    sha,
    { wait, length: build },
    { outcome, last: !again },
  );
  const inDraft = index === 0 && draw.asDraft;
  const people = inDraft ? "draft" : "review";
  // Without its builds, human and machine time cannot be distinguished.
  const machine = (stage: Stage, ms: number) => {
    spend(draw.hidden ? people : stage, ms);
  };
  machine("queue", wait);
  machine("build", build);
  if (again) {
    spend(people, pause);
    const time = { wait: 0, length: retry };
    drawRun(story, "pull_request", sha, time, { attempt: 2 });
    machine("retry", retry);
  }
  if (inDraft) {
    spend("draft", draw.draft);
    tell({ kind: "pull-ready", pull });
  }
  spend("review", each.review);
}

/** Adds everything after the last review. @returns the time of the merge */
function drawMerge(story: Story): number {
  const { pull, draw, tell, spend, commit, packages, owners } = story;
  const head = commit(`head ${draw.builds.length - 1}`);
  const sha = commit("main");
  tell({
    kind: "pull-reviewed",
    pull,
    review: pull,
    reviewer: "grace",
    bot: false,
    state: "approved",
  });
  spend("approved", draw.approved);
  tell({ kind: "queue-entered", pull });
  const inQueue = { wait: 5000, length: draw.queue - 10_000 };
  drawRun(story, "merge_group", commit("group"), inQueue);
  spend("merge-queue", draw.queue);
  const merged = story.now();
  tell(
    { kind: "pull-merged", pull, sha, head, base: "main", method: "queue" },
    { kind: "pull-attributed", pull, packages, owners },
    {
      kind: "jobs-selected",
      plan: `plan-${pull}`,
      sha: head,
      pull,
      selected: workload(draw.selected),
      everything: workload(UNITS),
      predictedMs: 600_000,
    },
  );
  drawRun(story, "push", sha, { wait: 0, length: draw.postMerge });
  spend("post-merge-build", draw.postMerge);
  return merged;
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
