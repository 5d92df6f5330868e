import type { EVENT_FIELDS } from "./event-fields.js";
import type { ValueOf } from "./field.js";

export type {
  FalseHitFields,
  PublishedPackage,
  Workload,
} from "./event-fields.js";

/** Milliseconds since 1970, so independent of time zones and summer time. In files: ISO 8601, UTC. */
export type Instant = number;

export type EventKind = keyof typeof EVENT_FIELDS;

/** An event of a kind. Its stable id is `eventId`: the same fact has the same id, however often it is read. */
export type EventOf<Kind extends EventKind> = Kind extends EventKind
  ? {
      readonly kind: Kind;
      /** The time of the event. */
      readonly at: Instant;
      /** `owner/name`. */
      readonly repository: string;
    } & {
      readonly [Name in keyof (typeof EVENT_FIELDS)[Kind]]: ValueOf<
        (typeof EVENT_FIELDS)[Kind][Name]
      >;
    } & (Kind extends "run-completed"
        ? {
            /** All jobs that GitHub lists for the attempt, including those inherited from earlier attempts. */
            readonly jobs: readonly Job[];
          }
        : unknown)
  : never;

/** A delivery event. */
export type DeliveryEvent = EventOf<EventKind>;
export type RunStarted = EventOf<"run-started">;
export type RunCompleted = EventOf<"run-completed">;
export type Published = EventOf<"published">;

/** A job of one attempt of a run. */
export interface Job {
  readonly name: string;
  /** The time at which it was requested; null if GitHub doesn't report it. */
  readonly created: Instant | null;
  /** The time at which a runner started it; null if none did. */
  readonly started: Instant | null;
  readonly completed: Instant | null;
  readonly conclusion: Conclusion;
}

/** The results of a review. */
export const REVIEW_STATES = [
  "approved",
  "changes-requested",
  "commented",
] as const;
export type ReviewState = (typeof REVIEW_STATES)[number];

/** The ways in which a pull request is merged. */
export const MERGE_METHODS = [
  "merge",
  "squash",
  "rebase",
  "queue",
  "unknown",
] as const;
export type MergeMethod = (typeof MERGE_METHODS)[number];

/** GitHub's conclusions in lower case; `unknown` for any that it adds later. */
export const CONCLUSIONS = [
  "success",
  "failure",
  "cancelled",
  "skipped",
  "timed_out",
  "startup_failure",
  "neutral",
  "action_required",
  "stale",
  "unknown",
] as const;
export type Conclusion = (typeof CONCLUSIONS)[number];

/** The ways in which a version is published. */
export const PUBLISH_CHANNELS = [
  "release",
  "deployment",
  "tag",
  "workflow",
  "npm",
] as const;
export type PublishChannel = (typeof PUBLISH_CHANNELS)[number];

/** The kinds of annotations. */
export const ANNOTATION_KINDS = ["migration", "configuration", "note"] as const;
export type AnnotationKind = (typeof ANNOTATION_KINDS)[number];

/** The kinds that plans and verdicts add themselves, even if the store is no longer synchronised. */
const OWN_KINDS = ["jobs-selected", "run-judged", "units-reused"] as const;
export type OwnEvent = EventOf<(typeof OWN_KINDS)[number]>;

/** Returns whether plans and verdicts add the events of a kind themselves. */
export function isOwnKind(kind: string): kind is OwnEvent["kind"] {
  return OWN_KINDS.some((own) => own === kind);
}
