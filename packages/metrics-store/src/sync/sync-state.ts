import * as json from "@skein/reporting/json";

/** A time range that includes both ends. */
export type Span = json.TypeOf<typeof span>;
const span = json.object({ from: json.number, to: json.number });

/** The progress of a list that is read from its newest item. */
export type Walk = json.TypeOf<typeof walk>;
const walk = json.object({
  /** The time range that was read completely. */
  covered: json.orNull(span),
  /** A walk in progress. */
  under: json.orNull(
    json.object({
      /** Its start: the newest item. */
      target: json.number,
      /** Its end. */
      stop: json.number,
      /** The cursor of the next page. */
      after: json.text,
    }),
  ),
});

export type DayState = json.TypeOf<typeof day>;
const day = json.object({
  /** Whether a part of it has not ended yet. */
  open: json.boolean,
  /** The lists by which it was read; empty once it is no longer read again. */
  windows: json.list(
    json.object({
      /** The range in GitHub's form: `A..B`. */
      range: json.text,
      /** An ETag for each page. GitHub returns a page again only if it has changed. */
      etags: json.list(json.text),
    }),
  ),
});

export type RepositoryState = json.TypeOf<typeof repository>;
const repository = json.object({
  /** Damaged files of the store whose content has been requested again. */
  broken: json.list(json.text),
  pulls: walk,
  activity: walk,
  /** Days of workflow runs, in UTC: `2026-01-31`. A missing day has not been read. */
  days: json.byName(day),
  /** The time for which publications were read. */
  published: json.orNull(span),
  /** The time for which the default branch's commits were read. */
  annotated: json.orNull(span),
  /** The last answer of a registry, by registry and name, and the start of the time that was read. */
  npm: json.byName(json.object({ etag: json.text, since: json.number })),
});

/**
 * The progress of reading repositories. It matches the events that are stored with it. Times are in milliseconds since
 * 1970.
 */
export type SyncState = json.TypeOf<typeof state>;
const state = json.object({
  version: json.version(1),
  repositories: json.byName(repository),
});

/** The state before the first synchronization. */
export const NO_STATE: SyncState = { version: 1, repositories: {} };
const NO_WALK: Walk = { covered: null, under: null };
/** The state of a repository before its first synchronization. */
export const NEW_REPOSITORY: RepositoryState = {
  broken: [],
  pulls: NO_WALK,
  activity: NO_WALK,
  days: {},
  published: null,
  annotated: null,
  npm: {},
};

/**
 * Merges two states that are both correct. For a repository in both, the second counts, since its events are stored
 * with it.
 */
export function mergeStates(first: SyncState, second: SyncState): SyncState {
  return {
    version: 1,
    repositories: { ...first.repositories, ...second.repositories },
  };
}

/** Parses a state; returns undefined for anything but a state of version 1. */
export function parseState(value: unknown): SyncState | undefined {
  try {
    return state(value, "state");
  } catch (error) {
    if (error instanceof json.Malformed) return undefined;
    throw error;
  }
}
