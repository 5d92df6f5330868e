import { EVENT_KINDS, ownFields } from "../events/event-fields.js";
import type {
  DeliveryEvent,
  EventKind,
  EventOf,
  Instant,
  RunCompleted,
  RunStarted,
} from "../events/event.js";
import { attemptKey, compareIds, shortKey } from "../events/event-id.js";
import { packJobs, unpackJobs } from "../events/job-columns.js";
import type { RunFacts } from "../facts/facts.js";
import { ByteStore, grown } from "./byte-store.js";
import { Packer, Unpacker } from "./packing.js";
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
  readonly #bodies = new ByteStore();
  #size = 0;
  // One value for each event. They grow together.
  #at = new Float64Array(64);
  #kinds = new Uint8Array(64);
  #positions = new Uint32Array(64);
  #hashes = new Uint32Array(64);
  /** The places of events by the hash of their ids, counted from 1; 0 for a free slot. */
  #table = new Uint32Array(128);
  #order: Uint32Array | undefined;

  constructor(name: string) {
    this.name = name;
  }

  get size(): number {
    return this.#size;
  }

  /** Adds an event of this repository, or replaces the one with its id. */
  add(event: DeliveryEvent): void {
    const kind = NUMBERS.get(event.kind) ?? 0;
    const key = shortKey(event);
    const hash = hashOf(kind, key);
    const slot = this.#slotOf(kind, key, hash);
    const known = this.#table[slot] ?? 0;
    const place = known > 0 ? known - 1 : this.#size;
    if (known === 0) {
      this.#size++;
      if (place === this.#at.length) this.#grow();
      this.#kinds[place] = kind;
      this.#hashes[place] = hash;
      this.#table[this.#slotOf(kind, key, hash)] = place + 1;
    }
    this.#at[place] = event.at;
    this.#packer.begin(event.at);
    ownFields(event.kind).pack(event, this.#packer);
    if (event.kind === "run-completed")
      packJobs(event.jobs, event.started, this.#packer);
    this.#positions[place] = this.#bodies.append(this.#packer.record);
    this.#order = undefined;
  }

  /** Returns the event at a place. */
  at(place: number): DeliveryEvent {
    const kind = this.kindAt(place);
    const at = this.#at[place] ?? 0;
    const body = this.#bodies.at(this.#positions[place] ?? 0);
    const from = new Unpacker(this.texts, body, at);
    const event = Object.assign(ownFields(kind).unpack(from), {
      kind,
      at,
      repository: this.name,
    }) as DeliveryEvent;
    return event.kind === "run-completed"
      ? Object.assign(event, { jobs: unpackJobs(event.started, from) })
      : event;
  }

  kindAt(place: number): EventKind {
    const kind = EVENT_KINDS[this.#kinds[place] ?? 0];
    if (!kind) throw new RangeError("no such event");
    return kind;
  }

  /** Returns the places of all events in order of time and then of id. */
  places(): Uint32Array {
    this.#order ??= this.#sorted();
    return this.#order;
  }

  /** Returns all events in order of time and then of id. */
  *events(): Generator<DeliveryEvent> {
    for (const place of this.places()) yield this.at(place);
  }

  /** Returns the events of one kind, in the same order. */
  *of<Kind extends EventKind>(kind: Kind): Generator<EventOf<Kind>> {
    const number = NUMBERS.get(kind);
    for (const place of this.places())
      if (this.#kinds[place] === number) yield this.at(place) as EventOf<Kind>;
  }

  /** Returns the place of an attempt's end; undefined if it is in progress. */
  placeOfEnd(started: RunStarted): number | undefined {
    const kind = NUMBERS.get("run-completed") ?? 0;
    const key = attemptKey(started);
    const known = this.#table[this.#slotOf(kind, key, hashOf(kind, key))] ?? 0;
    return known === 0 ? undefined : known - 1;
  }

  endOf(started: RunStarted): RunCompleted | undefined {
    const place = this.placeOfEnd(started);
    return place === undefined ? undefined : (this.at(place) as RunCompleted);
  }

  /** Returns the attempt of a run that starts at a place. */
  runAt(place: number): RunFacts {
    const started = this.at(place) as RunStarted;
    return { started, completed: this.endOf(started) };
  }

  /** Returns the attempts of runs in order of their start. @param wanted selects attempts; by default all */
  *runs(
    wanted: (started: RunStarted) => boolean = () => true,
  ): Generator<RunFacts> {
    for (const started of this.of("run-started"))
      if (wanted(started)) yield { started, completed: this.endOf(started) };
  }

  #slotOf(kind: number, key: string | number, hash: number): number {
    const { length } = this.#table;
    for (let slot = hash % length; ; slot = (slot + 1) % length) {
      const place = (this.#table[slot] ?? 0) - 1;
      if (place < 0) return slot;
      if (
        this.#hashes[place] === hash &&
        this.#kinds[place] === kind &&
        shortKey(this.at(place)) === key
      )
        return slot;
    }
  }

  #grow(): void {
    const length = grown(this.#at.length);
    const [at, kinds] = [new Float64Array(length), new Uint8Array(length)];
    const [positions, hashes] = [
      new Uint32Array(length),
      new Uint32Array(length),
    ];
    at.set(this.#at);
    kinds.set(this.#kinds);
    positions.set(this.#positions);
    hashes.set(this.#hashes);
    this.#at = at;
    this.#kinds = kinds;
    this.#positions = positions;
    this.#hashes = hashes;
    const slots = grown(length);
    this.#table = new Uint32Array(slots);
    for (let place = 0; place < this.#size - 1; place++) {
      let slot = (hashes[place] ?? 0) % slots;
      while ((this.#table[slot] ?? 0) > 0) slot = (slot + 1) % slots;
      this.#table[slot] = place + 1;
    }
  }

  #sorted(): Uint32Array {
    const order = new Uint32Array(this.#size);
    for (let place = 0; place < order.length; place++) order[place] = place;
    // The days of a store are sorted.
    const isSorted = order.every(
      (place) => place === 0 || this.#compare(place - 1, place) < 0,
    );
    return isSorted
      ? order
      : order.sort((one, other) => this.#compare(one, other));
  }

  #compare(one: number, other: number): number {
    const time: Instant = (this.#at[one] ?? 0) - (this.#at[other] ?? 0);
    if (time !== 0) return time;
    const kinds = [this.kindAt(one), this.kindAt(other)] as const;
    if (kinds[0] !== kinds[1]) return kinds[0] < kinds[1] ? -1 : 1;
    return one === other ? 0 : compareIds(this.at(one), this.at(other));
  }
}

function hashOf(kind: number, key: string | number): number {
  let hash = 0x811c9dc5 ^ kind;
  const add = (part: number) => {
    hash = Math.imul(hash ^ part, 0x01000193);
  };
  if (typeof key === "number") {
    add(key % 65_536);
    add(Math.floor(key / 65_536) % 65_536);
    add(Math.floor(key / 2 ** 32));
  } else
    for (let index = 0; index < key.length; index++) add(key.charCodeAt(index));
  return (hash ^ (hash >>> 15)) >>> 0;
}
