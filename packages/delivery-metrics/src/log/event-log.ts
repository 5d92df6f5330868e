import {
  isOwnKind,
  type DeliveryEvent,
  type Instant,
} from "../events/event.js";
import { inOrder } from "../events/merge-events.js";
import { RepositoryLog } from "./repository-log.js";

/** All events before some time, in little memory: each repository has a packed log. */
export class EventLog {
  /** Events at this time or later are ignored. */
  readonly asOf: Instant;
  readonly #repositories = new Map<string, RepositoryLog>();
  #size = 0;

  constructor(asOf: Instant) {
    this.asOf = asOf;
  }

  /** Returns a log of events; the same log if they are one. */
  static from(events: Iterable<DeliveryEvent> | EventLog, asOf: Instant) {
    if (events instanceof EventLog) return events;
    const log = new EventLog(asOf);
    for (const event of events) log.add(event);
    return log;
  }

  /** The number of events that were added, duplicates included. */
  get size(): number {
    return this.#size;
  }

  /** The time of the first event; undefined if there is none. */
  get first(): Instant | undefined {
    let first: Instant | undefined;
    for (const own of this.#repositories.values())
      for (const at of own.times()) first = Math.min(first ?? at, at);
    return first;
  }

  /** The time of the newest event from GitHub or a registry; undefined if there is none. */
  get newest(): Instant | undefined {
    let newest: Instant | undefined;
    for (const own of this.#repositories.values())
      for (const at of own.times((kind) => !isOwnKind(kind)))
        newest = Math.max(newest ?? at, at);
    return newest;
  }

  add(event: DeliveryEvent): void {
    this.#size++;
    const { at, repository } = event;
    if (at >= this.asOf) return;
    let own = this.#repositories.get(repository);
    if (!own)
      this.#repositories.set(repository, (own = new RepositoryLog(repository)));
    own.add(event);
  }

  /** The logs of all repositories, by name. */
  get repositories(): readonly RepositoryLog[] {
    return [...this.#repositories.values()].sort((a, b) =>
      a.name < b.name ? -1 : 1,
    );
  }

  /** Returns all events in order of time and then of id, as objects. */
  events(): readonly DeliveryEvent[] {
    return inOrder(this.repositories.flatMap((own) => [...own.events()]));
  }

  /** Hands out the logs of all repositories, by name. Each can be used until the next one is handed out, and is dropped then. */
  *take(): Generator<RepositoryLog> {
    for (const name of [...this.#repositories.keys()].sort()) {
      const own = this.#repositories.get(name);
      this.#repositories.delete(name);
      if (!own) continue;
      yield own;
      own.drop();
    }
  }
}
