import type { DeliveryEvent, EventKind } from "./event.js";

/**
 * Returns the stable id of an event, made of what it is about: `run-completed acme/web 577324554 2`. Whoever reads the same
 * fact again, in
 * whatever portion, comes to the same id; of two events with one id the later line counts. What may happen to a pull
 * request more
 * than once carries its time.
 */
export function eventId(event: DeliveryEvent): string {
  return `${event.kind} ${event.repository} ${aboutWhat(event)}`;
}

function aboutWhat(event: DeliveryEvent): string {
  switch (event.kind) {
    case "pull-opened":
    case "pull-merged":
    case "pull-attributed":
    case "pull-upgrades":
      return `${event.pull}`;
    case "pull-ready":
    case "pull-draft":
    case "pull-closed":
    case "pull-reopened":
    case "queue-entered":
    case "queue-left":
      return `${event.pull} ${event.at}`;
    case "pull-pushed":
      return `${event.pull} ${event.sha}`;
    case "branch-pushed":
      return `${event.branch} ${event.at} ${event.sha}`;
    case "pull-reviewed":
    case "pull-review-dismissed":
      return `${event.pull} ${event.review}`;
    case "pull-reverted":
      return `${event.pull} ${event.by}`;
    case "run-started":
    case "run-completed":
      return `${event.run} ${event.attempt}`;
    case "published":
      return `${event.channel} ${event.key}`;
    case "jobs-selected":
    case "run-judged":
      return `${event.plan} ${event.sha}`;
    case "annotated":
      return `${event.what} ${event.key}`;
  }
}

/**
 * By id, as text. Neither a kind nor a repository holds a character before the space that follows it, so each part
 * decides alone.
 */
export function compareIds(a: DeliveryEvent, b: DeliveryEvent): number {
  return (
    compare(a.kind, b.kind) ||
    compare(a.repository, b.repository) ||
    compare(aboutWhat(a), aboutWhat(b))
  );
}

function compare(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

/**
 * Events by id; of one id, the last one that was added. No id is spelled out where a number will do: there may be a
 * hundred thousand.
 */
export class EventsById {
  readonly #tables = new Map<string, Tables>();

  add(event: DeliveryEvent): void {
    const { repository, kind } = event;
    let tables = this.#tables.get(repository);
    if (!tables) this.#tables.set(repository, (tables = new Map() as Tables));
    let table = tables.get(kind);
    if (!table) tables.set(kind, (table = new Map() as Table));
    table.set(shortKey(event), event);
  }

  all(): readonly DeliveryEvent[] {
    const events: DeliveryEvent[] = [];
    for (const tables of this.#tables.values())
      for (const table of tables.values())
        for (const event of table.values()) events.push(event);
    return events;
  }
}

/** The events of one kind, by what they are about. */
type Table = Map<string | number, DeliveryEvent>;
/** Those of one repository. */
type Tables = Map<EventKind, Table>;

/** Returns the subject of an event as a number or as text: never the same for two ids of one kind. */
function shortKey(event: DeliveryEvent): string | number {
  if (event.kind === "run-started" || event.kind === "run-completed")
    return attemptKey(event);
  return event.kind === "pull-opened" ||
    event.kind === "pull-merged" ||
    event.kind === "pull-attributed"
    ? event.pull
    : aboutWhat(event);
}

const MOST_ATTEMPTS = 1024;

/** Returns an attempt of a run of one repository: a number, or text where that would not be exact. */
export function attemptKey({
  run,
  attempt,
}: {
  readonly run: number;
  readonly attempt: number;
}): string | number {
  const key = run * MOST_ATTEMPTS + attempt;
  return attempt < MOST_ATTEMPTS && Number.isSafeInteger(key)
    ? key
    : `${run} ${attempt}`;
}
