import fc from "fast-check";
import type { DeliveryEvent, EventKind, EventOf, Job } from "./event.js";
import {
  ANNOTATION_KINDS,
  CONCLUSIONS,
  MERGE_METHODS,
  PUBLISH_CHANNELS,
  REVIEW_STATES,
} from "./event.js";

const instant = fc.integer({
  min: Date.UTC(2015, 0, 1),
  max: Date.UTC(2040, 0, 1),
});
const word = fc.stringMatching(/^[\w@/ é日-]{1,20}$/);
const number = fc.nat();
const sha = fc.stringMatching(/^[0-9a-f]{40}$/);
const maybe = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: null });
const job: fc.Arbitrary<Job> = fc.record({
  name: word,
  created: maybe(instant),
  started: maybe(instant),
  completed: maybe(instant),
  conclusion: fc.constantFrom(...CONCLUSIONS),
});
const version = fc.record({ name: word, version: maybe(word) });
const workload = fc.record({ jobs: number, units: number, machineMs: number });
const pull = { pull: number };

const OWN: {
  readonly [Kind in EventKind]: {
    readonly [
      Name in Exclude<keyof EventOf<Kind>, "kind" | "at" | "repository">
    ]: fc.Arbitrary<EventOf<Kind>[Name]>;
  };
} = {
  "pull-opened": {
    ...pull,
    author: word,
    bot: fc.boolean(),
    branch: word,
    base: word,
    draft: fc.boolean(),
    fork: fc.boolean(),
    title: maybe(word),
  },
  "pull-ready": pull,
  "pull-draft": pull,
  "pull-pushed": { ...pull, sha, forced: fc.boolean() },
  "branch-pushed": { branch: word, sha, forced: fc.boolean() },
  "pull-reviewed": {
    ...pull,
    review: number,
    reviewer: word,
    bot: fc.boolean(),
    state: fc.constantFrom(...REVIEW_STATES),
  },
  "pull-review-dismissed": { ...pull, review: number },
  "pull-closed": pull,
  "pull-reopened": pull,
  "pull-merged": {
    ...pull,
    sha,
    head: sha,
    base: word,
    method: fc.constantFrom(...MERGE_METHODS),
  },
  "pull-reverted": { ...pull, by: number },
  "queue-entered": pull,
  "queue-left": { ...pull, reason: maybe(word) },
  "run-started": {
    run: number,
    attempt: number,
    workflow: word,
    path: maybe(word),
    event: word,
    branch: maybe(word),
    sha,
    pulls: fc.array(number),
    created: instant,
  },
  "run-completed": {
    run: number,
    attempt: number,
    started: instant,
    conclusion: fc.constantFrom(...CONCLUSIONS),
    jobs: fc.array(job, { maxLength: 5 }),
  },
  published: {
    channel: fc.constantFrom(...PUBLISH_CHANNELS),
    key: word,
    sha: maybe(sha),
    environment: maybe(word),
    started: maybe(instant),
    packages: maybe(fc.array(version)),
    pulls: maybe(fc.array(number)),
  },
  "pull-attributed": {
    ...pull,
    packages: fc.array(word),
    owners: fc.array(word),
  },
  "pull-upgrades": { ...pull, upgrades: fc.array(version) },
  "jobs-selected": {
    plan: word,
    sha,
    pull: maybe(number),
    selected: workload,
    everything: workload,
    predictedMs: number,
  },
  "run-judged": {
    plan: word,
    sha,
    pull: maybe(number),
    units: number,
    flaky: fc.array(word),
    infrastructure: fc.array(word),
    failed: fc.array(word),
    setupMs: maybe(number),
  },
  "units-reused": {
    run: number,
    sha,
    pull: maybe(number),
    first: fc.boolean(),
    units: number,
    reused: number,
    reusedMs: number,
    checked: number,
    falseHits: fc.array(word),
    falseHitFields: fc.array(
      fc.record({
        unit: word,
        fields: fc.array(fc.record({ name: word, hash: word })),
      }),
    ),
    evidenceChecked: number,
    wrongEvidence: fc.array(word),
  },
  annotated: {
    what: fc.constantFrom(...ANNOTATION_KINDS),
    key: word,
    text: word,
  },
};

/** Generates events of any kind. */
export const anyEvent: fc.Arbitrary<DeliveryEvent> = fc.oneof(
  ...Object.entries(OWN).map(
    ([kind, own]) =>
      fc.record({
        kind: fc.constant(kind),
        at: instant,
        repository: fc.constantFrom("acme/web", "acme/lib.js"),
        ...(own as Record<string, fc.Arbitrary<unknown>>),
      }) as unknown as fc.Arbitrary<DeliveryEvent>,
  ),
);
