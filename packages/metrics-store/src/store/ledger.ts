import { gzipSync } from "node:zlib";
import { eventId, formatEvent, parseEvents } from "@skein/delivery-metrics";
import type { DeliveryEvent } from "@skein/delivery-metrics";
import { mergeStates, NO_STATE, parseState } from "../sync/sync-state.js";
import type { RepositoryState, SyncState } from "../sync/sync-state.js";
import { readDays, withEvents } from "./day-files.js";
import { appendEntry, readJournal, removeJournal } from "./journal.js";
import { unpackText } from "./packed.js";
import type { EventStore, StoredFiles } from "./store.js";

/** The file with the state of repositories. */
export const STATE_FILE = "delivery-state.json.gz";
/** The maximum number of lines in the journal. They are lost if the machine disappears. */
const MOST_WAITING = 25_000;

/** The content of a store, and the events to add to it. */
export interface Ledger {
  readonly state: SyncState;
  /** Files that cannot be read. They are skipped and left unchanged. */
  readonly broken: readonly string[];
  /** Messages about files and lines that could not be read. */
  readonly notes: readonly string[];
  /** Returns the last version of the event with this id. */
  known(id: string): DeliveryEvent | undefined;
  /** Adds events, except those that equal a known version. The next `save` stores them. */
  keep(events: readonly DeliveryEvent[]): void;
  /**
   * Stores the added events, together with the state of the repository they were read with. Afterwards they are neither
   * lost nor requested again.
   */
  save(read?: {
    readonly repository: string;
    readonly state: RepositoryState;
  }): Promise<void>;
  /**
   * Moves everything from the journal to the store.
   * @returns the number of events that were new or changed
   */
  pack(): Promise<number>;
}

/** Opens a store for adding events. The journal of a process that was killed is included. */
export async function openLedger(store: EventStore): Promise<Ledger> {
  const files = await store.files();
  const { texts, broken } = await readDays(files);
  const notes = broken.map((name) => `${name} is broken and was skipped`);
  const lines = new Map<string, string>();
  for (const { text } of texts) {
    const { events, strays } = parseEvents(text);
    for (const event of events) remember(lines, event);
    if (strays.length > 0)
      notes.push(
        `${strays.length} lines are not events that this version recognizes`,
      );
  }
  let state = await readState(files);
  const waiting: string[] = [];
  for (const entry of await readJournal(store.journal)) {
    for (const event of parseEvents(entry.lines.join("\n")).events)
      remember(lines, event);
    waiting.push(...entry.lines);
    state = entry.state;
  }
  return new OpenLedger(store, { state, broken, notes, lines, waiting });
}

/** The content of a store and its journal. */
interface Content {
  readonly state: SyncState;
  readonly broken: readonly string[];
  readonly notes: readonly string[];
  /** The last version of each event, by its id. */
  readonly lines: Map<string, string>;
  /** Lines that are in the journal only. */
  readonly waiting: string[];
}

class OpenLedger implements Ledger {
  state: SyncState;
  readonly broken: readonly string[];
  readonly notes: readonly string[];
  readonly #store: EventStore;
  readonly #lines: Map<string, string>;
  readonly #waiting: string[];
  /** Lines that aren't in the journal yet. */
  readonly #fresh: string[] = [];
  #added = 0;

  constructor(
    store: EventStore,
    { state, broken, notes, lines, waiting }: Content,
  ) {
    this.state = state;
    this.broken = broken;
    this.notes = notes;
    this.#store = store;
    this.#lines = lines;
    this.#waiting = waiting;
  }

  known(id: string): DeliveryEvent | undefined {
    const line = this.#lines.get(id);
    return line === undefined ? undefined : parseEvents(line).events[0];
  }

  keep(events: readonly DeliveryEvent[]): void {
    for (const event of events)
      if (remember(this.#lines, event))
        this.#fresh.push(formatEvent(event).trimEnd());
  }

  async save(read?: {
    readonly repository: string;
    readonly state: RepositoryState;
  }): Promise<void> {
    if (read)
      this.state = {
        ...this.state,
        repositories: {
          ...this.state.repositories,
          [read.repository]: read.state,
        },
      };
    const taken = this.#fresh.splice(0);
    const entry = { lines: taken, state: this.state };
    await appendEntry(this.#store.journal, entry);
    this.#waiting.push(...taken);
    if (this.#waiting.length > MOST_WAITING) await this.pack();
  }

  async pack(): Promise<number> {
    const { events } = parseEvents(this.#waiting.join("\n"));
    await this.#store.update(async (current) => {
      const theirs = await readState(current);
      const merged = mergeStates(theirs, this.state);
      const changed = new Map(await withEvents(current, events));
      // The state is written last, because everything that it declares as read must be stored by then.
      if (JSON.stringify(merged) !== JSON.stringify(theirs))
        changed.set(STATE_FILE, gzipSync(`${JSON.stringify(merged)}\n`));
      return changed;
    }, `Record ${this.#waiting.length} events of delivery`);
    await removeJournal(this.#store.journal);
    this.#added += this.#waiting.length;
    this.#waiting.splice(0);
    return this.#added;
  }
}

/** @returns whether it is new or changed */
function remember(lines: Map<string, string>, event: DeliveryEvent): boolean {
  const id = eventId(event);
  const line = formatEvent(event);
  if (lines.get(id) === line) return false;
  lines.set(id, line);
  return true;
}

/** Reads the state. A damaged state counts as none: everything is requested again, and nothing is lost. */
async function readState(files: StoredFiles): Promise<SyncState> {
  const bytes = await files.read(STATE_FILE);
  const text = bytes && unpackText(STATE_FILE, bytes);
  if (text === undefined) return NO_STATE;
  try {
    return parseState(JSON.parse(text)) ?? NO_STATE;
  } catch {
    return NO_STATE;
  }
}
