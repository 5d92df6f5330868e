import { EVENT_KINDS, ownFields } from "../events/event-fields.js";
import type {
  DeliveryEvent,
  EventKind,
  EventOf,
  Instant,
  RunCompleted,
  RunStarted,
} from "../events/event.js";
import { compareIds, endIdOf, eventId } from "../events/event-id.js";
import { packJobs, unpackJobs } from "../events/job-columns.js";
import type { RunFacts } from "../facts/facts.js";
import {
  codeOf,
  linkOf,
  Packer,
  setLink,
  timeOf,
  Unpacker,
} from "./packing.js";
import { hashOf, Records } from "./records.js";
import { Texts } from "./texts.js";

/** The numbers of kinds in a log. */
const NUMBERS = new Map(EVENT_KINDS.map((kind, index) => [kind, index]));

/**
 * The events of one repository, packed into about 60 bytes each. An event becomes an object again when it is read. Of several
 * events with one id, it keeps the last one, as `mergeEvents` does.
 */
export class RepositoryLog {
  readonly name: string;
  readonly texts = new Texts();
  readonly #packer = new Packer(this.texts);
  readonly #records = new Records();
  /** The places of events in order; null if they were added in order, and undefined if the order is unknown. */
  #order: Uint32Array | null | undefined;
  /** Whether the starts of runs are linked with their ends. Afterwards, no event may be added. */
  #isLinked = false;

  constructor(name: string) {
    this.name = name;
  }

  get size(): number {
    return this.#records.size;
  }

  /** Adds an event of this repository, or replaces the one with its id. */
  add(event: DeliveryEvent): void {
    this.#packer.begin(NUMBERS.get(event.kind) ?? 0, event.at);
    if (event.kind === "run-started") this.#packer.link();
    ownFields(event.kind).pack(event, this.#packer);
    if (event.kind === "run-completed")
      packJobs(event.jobs, event.started, this.#packer);
    const { record } = this.#packer;
    const id = eventId(event);
    const known = this.#placeOf(id);
    if (known === undefined) this.#records.add(hashOf(id), record);
    else this.#records.replace(known, record);
    this.#order = undefined;
  }

  /** Returns the event at a place. */
  at(place: number): DeliveryEvent {
    const from = this.#open(place);
    const event = this.#unpack(place, from);
    return event.kind === "run-completed"
      ? Object.assign(event, { jobs: unpackJobs(event.started, from) })
      : event;
  }

  #open(place: number): Unpacker {
    return new Unpacker(this.texts, this.#records.at(place));
  }

  /** Unpacks an event without its jobs. Its id doesn't depend on them. */
  #unpack(place: number, from: Unpacker): DeliveryEvent {
    const kind = this.kindAt(place);
    if (kind === "run-started") from.skipLink();
    return Object.assign(ownFields(kind).unpack(from), {
      kind,
      at: from.clock,
      repository: this.name,
    }) as DeliveryEvent;
  }

  kindAt(place: number): EventKind {
    const kind = EVENT_KINDS[codeOf(this.#records.at(place))];
    if (!kind) throw new RangeError("no such event");
    return kind;
  }

  /** Returns the places of all events in order of time and then of id. */
  *places(): Generator<number> {
    if (this.#order === undefined) this.#order = this.#sorted();
    const order = this.#order;
    for (let index = 0; index < this.size; index++)
      yield order?.[index] ?? index;
  }

  /** Returns the time of each event of these kinds, in no particular order. @param isWanted by default all */
  *times(
    isWanted: (kind: EventKind) => boolean = () => true,
  ): Generator<Instant> {
    for (let place = 0; place < this.size; place++)
      if (isWanted(this.kindAt(place))) yield timeOf(this.#records.at(place));
  }

  /** Returns all events in order of time and then of id. */
  *events(): Generator<DeliveryEvent> {
    for (const place of this.places()) yield this.at(place);
  }

  /** Returns the events of one kind, in the same order. */
  *of<Kind extends EventKind>(kind: Kind): Generator<EventOf<Kind>> {
    for (const place of this.places())
      if (this.kindAt(place) === kind) yield this.at(place) as EventOf<Kind>;
  }

  /** Returns the events of one kind in no particular order, without sorting the log. */
  *unsorted<Kind extends EventKind>(kind: Kind): Generator<EventOf<Kind>> {
    for (let place = 0; place < this.size; place++)
      if (this.kindAt(place) === kind) yield this.at(place) as EventOf<Kind>;
  }

  /** Drops what finds events and texts. Afterwards, the log only returns events by their places. */
  seal(): void {
    this.#linkRuns();
    this.texts.seal();
  }

  /** Drops all events. Afterwards, the log can't be used. */
  drop(): void {
    this.#records.drop();
    this.texts.drop();
  }

  /** Returns the place of the end of the attempt that starts at a place; undefined if it is in progress. */
  placeOfEnd(place: number): number | undefined {
    this.#linkRuns();
    const link = linkOf(this.#records.at(place));
    return link === 0 ? undefined : link - 1;
  }

  /** Returns the attempt of a run that starts at a place. */
  runAt(place: number): RunFacts {
    return this.#runOf(this.at(place) as RunStarted, place);
  }

  /** Returns the attempts of runs in order of their start. @param wanted selects attempts; by default all */
  *runs(
    wanted: (started: RunStarted) => boolean = () => true,
  ): Generator<RunFacts> {
    for (const place of this.places()) {
      if (this.kindAt(place) !== "run-started") continue;
      const started = this.at(place) as RunStarted;
      if (wanted(started)) yield this.#runOf(started, place);
    }
  }

  #runOf(started: RunStarted, place: number): RunFacts {
    const end = this.placeOfEnd(place);
    const completed =
      end === undefined ? undefined : (this.at(end) as RunCompleted);
    return { started, completed };
  }

  /**
   * Writes the place of each attempt's end, counted from 1, into the record of its start, and drops what finds events.
   * Otherwise every reader of runs would search for their ends again, with hashes in memory.
   */
  #linkRuns(): void {
    if (this.#isLinked) return;
    this.#isLinked = true;
    for (let place = 0; place < this.size; place++) {
      if (this.kindAt(place) !== "run-started") continue;
      const end = this.#placeOf(endIdOf(this.at(place) as RunStarted));
      if (end !== undefined) setLink(this.#records.at(place), end + 1);
    }
    this.#records.seal();
  }

  #placeOf(id: string): number | undefined {
    return this.#records.find(
      hashOf(id),
      (place) => eventId(this.#unpack(place, this.#open(place))) === id,
    );
  }

  /** Returns null if the events were added in order, as those of a store's sorted days are. */
  #sorted(): Uint32Array | null {
    let place = 1;
    while (place < this.size && this.#compare(place - 1, place) < 0) place++;
    if (place >= this.size) return null;
    return Uint32Array.from({ length: this.size }, (_, index) => index).sort(
      (one, other) => this.#compare(one, other),
    );
  }

  #compare(one: number, other: number): number {
    const [before, after] = [this.#records.at(one), this.#records.at(other)];
    const time = timeOf(before) - timeOf(after);
    if (time !== 0 || one === other) return time;
    const kinds = [this.kindAt(one), this.kindAt(other)] as const;
    if (kinds[0] !== kinds[1]) return kinds[0] < kinds[1] ? -1 : 1;
    return compareIds(this.at(one), this.at(other));
  }
}
