import type { EventKind, EventOf } from "./event.js";
import {
  ANNOTATION_KINDS,
  CONCLUSIONS,
  MERGE_METHODS,
  PUBLISH_CHANNELS,
  REVIEW_STATES,
} from "./event.js";
import type { Field, FieldsOf } from "./field.js";
import {
  flag,
  instant,
  knownListOf,
  listOf,
  nullable,
  oneOf,
  record,
  sha,
  text,
  whole,
} from "./field.js";

const published = record({ name: text, version: nullable(text) });
const workload = record({ jobs: whole, units: whole, machineMs: whole });

/** What an event of a kind has besides its kind, its time and its repository. Jobs travel in columns (`job-columns.ts`). */
type OwnFields<Kind extends EventKind> = FieldsOf<
  Omit<EventOf<Kind>, "kind" | "at" | "repository" | "jobs">
>;

/** The fields of every kind, in the order in which they are written. */
export const EVENT_FIELDS: {
  readonly [Kind in EventKind]: OwnFields<Kind>;
} = {
  "pull-opened": {
    pull: whole,
    author: text,
    bot: flag,
    branch: text,
    base: text,
    draft: flag,
    fork: flag,
    title: nullable(text),
  },
  "pull-ready": { pull: whole },
  "pull-draft": { pull: whole },
  "pull-pushed": { pull: whole, sha, forced: flag },
  "branch-pushed": { branch: text, sha, forced: flag },
  "pull-reviewed": {
    pull: whole,
    review: whole,
    reviewer: text,
    bot: flag,
    state: oneOf(REVIEW_STATES),
  },
  "pull-review-dismissed": { pull: whole, review: whole },
  "pull-closed": { pull: whole },
  "pull-reopened": { pull: whole },
  "pull-merged": {
    pull: whole,
    sha,
    head: sha,
    base: text,
    method: oneOf(MERGE_METHODS),
  },
  "pull-reverted": { pull: whole, by: whole },
  "queue-entered": { pull: whole },
  "queue-left": { pull: whole, reason: nullable(text) },
  "run-started": {
    run: whole,
    attempt: whole,
    workflow: text,
    path: nullable(text),
    event: text,
    branch: nullable(text),
    sha,
    pulls: listOf(whole),
    created: instant,
  },
  "run-completed": {
    run: whole,
    attempt: whole,
    started: instant,
    conclusion: oneOf(CONCLUSIONS),
  },
  published: {
    channel: oneOf(PUBLISH_CHANNELS),
    key: text,
    sha: nullable(sha),
    environment: nullable(text),
    started: nullable(instant),
    packages: knownListOf(published),
    pulls: knownListOf(whole),
  },
  "pull-attributed": {
    pull: whole,
    packages: listOf(text),
    owners: listOf(text),
  },
  "pull-upgrades": { pull: whole, upgrades: listOf(published) },
  "jobs-selected": {
    plan: text,
    sha,
    pull: nullable(whole),
    selected: workload,
    everything: workload,
    predictedMs: whole,
  },
  "run-judged": {
    plan: text,
    sha,
    pull: nullable(whole),
    units: whole,
    flaky: listOf(text),
    infrastructure: listOf(text),
    failed: listOf(text),
  },
  annotated: { what: oneOf(ANNOTATION_KINDS), key: text, text },
};

export const EVENT_KINDS = Object.keys(EVENT_FIELDS) as readonly EventKind[];

/** The codec of a kind's own fields, its types forgotten: the table above has checked them. */
export function ownFields(kind: EventKind): Field<object> {
  return RECORDS[kind];
}

const RECORDS = Object.fromEntries(
  Object.entries(EVENT_FIELDS).map(([kind, fields]) => [
    kind,
    record(fields as unknown as FieldsOf<object>),
  ]),
) as Readonly<Record<EventKind, Field<object>>>;
