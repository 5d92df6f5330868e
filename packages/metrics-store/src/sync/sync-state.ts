import { members, Malformed } from "@skein/reporting/json";
import type { Members } from "@skein/reporting/json";

/**
 * How far repositories have been read. All of it is true of the events that were kept with it. Times: milliseconds
 * since 1970.
 */
export interface SyncState {
  readonly version: 1;
  readonly repositories: Readonly<Record<string, RepositoryState>>;
}

export interface RepositoryState {
  /** Files of the store that were found broken, and whose content has been asked for again. */
  readonly broken: readonly string[];
  readonly pulls: Walk;
  readonly activity: Walk;
  /** Days of workflow runs, by UTC: `2026-01-31`. One that is missing has not been read. */
  readonly days: Readonly<Record<string, DayState>>;
  /** Publications, as far as they have been read. */
  readonly published: Span | null;
  /** The default branch's commits, as far as they have been looked through. */
  readonly annotated: Span | null;
  /** By registry and name: what a registry has told, and how far back. */
  readonly npm: Readonly<
    Record<string, { readonly etag: string; readonly since: number }>
  >;
}

/** From and to, both in it. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** A list that is read from its newest end. */
export interface Walk {
  /** The span that was read completely. */
  readonly covered: Span | null;
  /** A walk that is under way. */
  readonly under: {
    /** Where it began: the newest there was. */
    readonly target: number;
    /** Where it ends. */
    readonly stop: number;
    /** The page behind which it goes on. */
    readonly after: string;
  } | null;
}

export interface DayState {
  /** Something of it has not ended yet. */
  readonly open: boolean;
  /** The lists that it was read by; none once it is not looked at again. */
  readonly windows: readonly {
    /** GitHub's own form: `A..B`. */
    readonly range: string;
    /** A tag for each page: the page is asked for again only where it has changed. */
    readonly etags: readonly string[];
  }[];
}

export const NO_STATE: SyncState = { version: 1, repositories: {} };
const NO_WALK: Walk = { covered: null, under: null };
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
 * Two states that are both true come together: of a repository in both, the second counts, since its events come with it.
 */
export function mergeStates(first: SyncState, second: SyncState): SyncState {
  return {
    version: 1,
    repositories: { ...first.repositories, ...second.repositories },
  };
}

/** @returns undefined for anything but a state of version 1 */
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
    npm: entries(of, value, "npm", (told) => ({
      etag: told.text("etag"),
      since: told.number("since"),
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

/** Returns the members of an object that is used as a list by name. */
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
