import { gzipSync } from "node:zlib";
import { eventId, formatEvent, parseEvents } from "@skein/delivery-metrics";
import type { DeliveryEvent } from "@skein/delivery-metrics";
import { mergeStates, NO_STATE, parseState } from "../sync/sync-state.js";
import type { RepositoryState, SyncState } from "../sync/sync-state.js";
import { readDays, withEvents } from "./day-files.js";
import { appendEntry, readJournal, removeJournal } from "./journal.js";
import { unpackText } from "./packed.js";
import type { EventStore, StoredFiles } from "./store.js";

/** How far repositories have been read. */
export const STATE_FILE = "delivery-state.json.gz";
/** Lines that wait, at most: a machine that goes away takes them along. */
const MOST_WAITING = 25_000;

/** The content of a store, and the events that will be added. */
export interface Ledger {
  readonly state: SyncState;
  /** Files that cannot be read: they are passed over, and left as they are. */
  readonly broken: readonly string[];
  /** The files and lines that could not be read, in words. */
  readonly notes: readonly string[];
  /** The event of this id, as it was last told. */
  known(id: string): DeliveryEvent | undefined;
  /** Takes events in; those that are known, and say nothing else, are passed over. They are kept with the next `save`. */
  keep(events: readonly DeliveryEvent[]): void;
  /**
   * Keeps what was taken in, and how far a repository has been read with it: after this, nothing of it is lost or asked
   * for again.
   */
  save(read?: {
    readonly repository: string;
    readonly state: RepositoryState;
  }): Promise<void>;
  /** Brings all that is kept into the store. @returns how many events were new or told anew */
  pack(): Promise<number>;
}

/** Opens a store for adding to it. What somebody who was killed had kept is taken over. */
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
  const fresh: string[] = [];
  let added = 0;
  const ledger: Ledger = {
    get state() {
      return state;
    },
    broken,
    notes,
    known(id) {
      const line = lines.get(id);
      return line === undefined ? undefined : parseEvents(line).events[0];
    },
    keep(events) {
      for (const event of events)
        if (remember(lines, event)) fresh.push(formatEvent(event).trimEnd());
    },
    async save(read) {
      if (read)
        state = {
          ...state,
          repositories: {
            ...state.repositories,
            [read.repository]: read.state,
          },
        };
      const taken = fresh.splice(0);
      await appendEntry(store.journal, { lines: taken, state });
      waiting.push(...taken);
      if (waiting.length > MOST_WAITING) await ledger.pack();
    },
    async pack() {
      const { events } = parseEvents(waiting.join("\n"));
      await store.update(async (current) => {
        const theirs = await readState(current);
        const merged = mergeStates(theirs, state);
        const changed = new Map(await withEvents(current, events));
        // Last: what it says was read must be there by then.
        if (JSON.stringify(merged) !== JSON.stringify(theirs))
          changed.set(STATE_FILE, gzipSync(`${JSON.stringify(merged)}\n`));
        return changed;
      }, `Record ${waiting.length} events of delivery`);
      await removeJournal(store.journal);
      added += waiting.length;
      waiting.splice(0);
      return added;
    },
  };
  return ledger;
}

/** @returns whether it was not known so */
function remember(lines: Map<string, string>, event: DeliveryEvent): boolean {
  const id = eventId(event);
  const line = formatEvent(event);
  if (lines.get(id) === line) return false;
  lines.set(id, line);
  return true;
}

/** A state that cannot be read is none: everything is asked for again, and nothing is lost. */
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
