import { members, Malformed, type Members } from "@skein/reporting/json";

/**
 * The progress of reading repositories. It matches the events that are stored with it. Times are in milliseconds since
 * 1970.
 */
export interface SyncState {
  readonly version: 1;
  readonly repositories: Readonly<Record<string, RepositoryState>>;
}

export interface RepositoryState {
  /** Damaged files of the store whose content has been requested again. */
  readonly broken: readonly string[];
  readonly pulls: Walk;
  readonly activity: Walk;
  /** Days of workflow runs, in UTC: `2026-01-31`. A missing day has not been read. */
  readonly days: Readonly<Record<string, DayState>>;
  /** The time for which publications were read. */
  readonly published: Span | null;
  /** The time for which the default branch's commits were read. */
  readonly annotated: Span | null;
  /** The last answer of a registry, by registry and name, and the start of the time that was read. */
  readonly npm: Readonly<
    Record<string, { readonly etag: string; readonly since: number }>
  >;
}

/** A time range that includes both ends. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** The progress of a list that is read from its newest item. */
export interface Walk {
  /** The time range that was read completely. */
  readonly covered: Span | null;
  /** A walk in progress. */
  readonly under: {
    /** Its start: the newest item. */
    readonly target: number;
    /** Its end. */
    readonly stop: number;
    /** The cursor of the next page. */
    readonly after: string;
  } | null;
}

export interface DayState {
  /** Whether a part of it has not ended yet. */
  readonly open: boolean;
  /** The lists by which it was read; empty once it is no longer read again. */
  readonly windows: readonly {
    /** The range in GitHub's form: `A..B`. */
    readonly range: string;
    /** An ETag for each page. GitHub returns a page again only if it has changed. */
    readonly etags: readonly string[];
  }[];
}

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
    const of = members(value, "state");
    if (of.number("version") !== 1) return undefined;
    const repositories = entries(of, value, "repositories", readRepository);
    return { version: 1, repositories };
  } catch (error) {
    if (error instanceof Malformed) return undefined;
    throw error;
  }
}

function readRepository(of: Members, value: unknown): RepositoryState {
  return {
    broken: of.texts("broken"),
    pulls: readWalk(of.object("pulls")),
    activity: readWalk(of.object("activity")),
    days: entries(of, value, "days", (day) => ({
      open: day.boolean("open"),
      windows: day.list("windows", (window) => ({
        range: window.text("range"),
        etags: window.texts("etags"),
      })),
    })),
    published: of.objectOrNull("published", readSpan),
    annotated: of.objectOrNull("annotated", readSpan),
    npm: entries(of, value, "npm", (fields) => ({
      etag: fields.text("etag"),
      since: fields.number("since"),
    })),
  };
}

function readWalk(of: Members): Walk {
  return {
    covered: of.objectOrNull("covered", readSpan),
    under: of.objectOrNull("under", (under) => ({
      target: under.number("target"),
      stop: under.number("stop"),
      after: under.text("after"),
    })),
  };
}

function readSpan(of: Members): Span {
  return { from: of.number("from"), to: of.number("to") };
}

/** Returns the members of an object that is used as a map. */
function entries<T>(
  of: Members,
  value: unknown,
  name: string,
  read: (member: Members, value: unknown) => T,
): Record<string, T> {
  of.object(name);
  const object = (value as Record<string, Record<string, unknown>>)[name] ?? {};
  const inner = members(object, name);
  return Object.fromEntries(
    Object.keys(object).map((key) => [
      key,
      read(inner.object(key), object[key]),
    ]),
  );
}
