import type { DeliveryEvent, EventKind } from "./event.js";

/**
 * Returns the stable id of an event, which consists of its subject: `run-completed acme/web 577324554 2`. The same fact
 * has the same id however often it is read. Of several lines with one id, the last one counts. Events that may happen
 * to a pull request more than once include their time.
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
    case "units-reused":
      // The numbers of a pull request never replace those of another one's run.
      return `${event.pull ?? "main"} ${event.run}`;
    case "annotated":
      return `${event.what} ${event.key}`;
  }
}

/**
 * Compares events by id, as text. Kinds and repositories contain no character that sorts before the space after them,
 * so the parts can be compared one by one.
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
 * A collection of events by id. Of several events with one id, it keeps the last one. It uses numbers instead of the
 * full ids if possible, because there may be a hundred thousand events.
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

/** The events of one kind, by their subjects. */
type Table = Map<string | number, DeliveryEvent>;
/** The tables of one repository. */
type Tables = Map<EventKind, Table>;

/** Returns the subject of an event as a number or as text. It is unique among the events of one kind. */
export function shortKey(event: DeliveryEvent): string | number {
  if (event.kind === "run-started" || event.kind === "run-completed")
    return attemptKey(event);
  return event.kind === "pull-opened" ||
    event.kind === "pull-merged" ||
    event.kind === "pull-attributed"
    ? event.pull
    : aboutWhat(event);
}

const MOST_ATTEMPTS = 1024;

/** Returns a key for an attempt of a run in one repository: a number, or text if a number would not be exact. */
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
