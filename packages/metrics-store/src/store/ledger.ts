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
        // The state is written last, because everything that it declares as read must be stored by then.
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
