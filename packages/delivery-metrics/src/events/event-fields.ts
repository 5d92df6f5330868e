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
  id,
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
const falseHit = record({
  unit: text,
  fields: listOf(record({ name: text, hash: text })),
});

/** A count that earlier versions didn't record: a zero is omitted, and blocks contain none. */
const laterCount: Field<number> = {
  ...whole,
  read: (wire) => (wire === undefined ? 0 : whole.read(wire)),
  write: (value) => value || undefined,
  open: () => () => 0,
};

/**
 * The fields of an event, without its kind, its time and its repository. Jobs are stored in columns (`job-columns.ts`).
 */
type OwnFields<Kind extends EventKind> = FieldsOf<
  Omit<EventOf<Kind>, "kind" | "at" | "repository" | "jobs">
>;

/** The fields of every kind, in the order in which they are written. */
export const EVENT_FIELDS: {
  readonly [Kind in EventKind]: OwnFields<Kind>;
} = {
  "pull-opened": {
    pull: id,
    author: text,
    bot: flag,
    branch: text,
    base: text,
    draft: flag,
    fork: flag,
    title: nullable(text),
  },
  "pull-ready": { pull: id },
  "pull-draft": { pull: id },
  "pull-pushed": { pull: id, sha, forced: flag },
  "branch-pushed": { branch: text, sha, forced: flag },
  "pull-reviewed": {
    pull: id,
    review: id,
    reviewer: text,
    bot: flag,
    state: oneOf(REVIEW_STATES),
  },
  "pull-review-dismissed": { pull: id, review: id },
  "pull-closed": { pull: id },
  "pull-reopened": { pull: id },
  "pull-merged": {
    pull: id,
    sha,
    head: sha,
    base: text,
    method: oneOf(MERGE_METHODS),
  },
  "pull-reverted": { pull: id, by: id },
  "queue-entered": { pull: id },
  "queue-left": { pull: id, reason: nullable(text) },
  "run-started": {
    run: id,
    attempt: whole,
    workflow: text,
    path: nullable(text),
    event: text,
    branch: nullable(text),
    sha,
    pulls: listOf(id),
    created: instant,
  },
  "run-completed": {
    run: id,
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
    pulls: knownListOf(id),
  },
  "pull-attributed": {
    pull: id,
    packages: listOf(text),
    owners: listOf(text),
  },
  "pull-upgrades": { pull: id, upgrades: listOf(published) },
  "jobs-selected": {
    plan: text,
    sha,
    pull: nullable(id),
    selected: workload,
    everything: workload,
    predictedMs: whole,
  },
  "run-judged": {
    plan: text,
    sha,
    pull: nullable(id),
    units: whole,
    flaky: listOf(text),
    infrastructure: listOf(text),
    failed: listOf(text),
    // Older blocks lack this column.
    setupMs: { ...nullable(whole), open: () => () => null },
  },
  "units-reused": {
    run: id,
    sha,
    pull: nullable(id),
    first: flag,
    units: whole,
    reused: whole,
    reusedMs: whole,
    checked: whole,
    falseHits: listOf(text),
    // Blocks were written before anybody recorded them.
    falseHitFields: { ...listOf(falseHit), open: () => () => [] },
    evidenceChecked: laterCount,
    wrongEvidence: { ...listOf(text), open: () => () => [] },
  },
  annotated: { what: oneOf(ANNOTATION_KINDS), key: text, text },
};

/** All kinds of events, in the order of `EVENT_FIELDS`. */
export const EVENT_KINDS = Object.keys(EVENT_FIELDS) as readonly EventKind[];

/** Returns the codec of a kind's own fields, without its types, which the table above has checked. */
export function ownFields(kind: EventKind): Field<object> {
  return RECORDS[kind];
}

const RECORDS = Object.fromEntries(
  Object.entries(EVENT_FIELDS).map(([kind, fields]) => [
    kind,
    record(fields as unknown as FieldsOf<object>),
  ]),
) as Readonly<Record<EventKind, Field<object>>>;
