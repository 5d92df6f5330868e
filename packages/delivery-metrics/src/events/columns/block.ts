import type { DeliveryEvent, EventKind, Instant, Job } from "../event.js";
import { EVENT_KINDS, ownFields } from "../event-fields.js";
import { mergeEvents } from "../merge-events.js";
import { instant, oneOf, repository } from "../field.js";
import { openJobs, putJobs } from "../job-columns.js";
import { formatEvent } from "../line.js";
import { NoField } from "../no-field.js";
import { byThread } from "./by-thread.js";
import { ColumnReader } from "./column-reader.js";
import type { Take } from "./column-reader.js";
import { ColumnWriter } from "./column-writer.js";

/** Of blocks. A new kind or field needs a new one: it moves the clock and the lists of words that all fields share. */
export const BLOCK_VERSION = 2;
export const BLOCK_KIND = "block";

/** What the events of one block take as lines of their own, about: far less than what a reader refuses. */
const MOST_CHARACTERS = 2_000_000;
/** A block that says it holds more is none. */
const MOST_EVENTS = 100_000;

const kinds = oneOf(EVENT_KINDS);

/**
 * Events as lines of blocks: the same events, by thread, a column a field. A day's are a third as long so, packed, as a line each.
 * What was told several times stands in several blocks, the last telling in the last one, so that it still counts.
 */
export function formatBlocks(events: readonly DeliveryEvent[]): string {
  let text = "";
  for (let left = events; left.length > 0;) {
    const latest = mergeEvents(left);
    const lines = chunks(byThread(latest)).map(formatBlock);
    text = lines.join("") + text;
    if (latest.length === left.length) break;
    const told = new Set(latest);
    left = left.filter((event) => !told.has(event));
  }
  return text;
}

function chunks(events: readonly DeliveryEvent[]): readonly DeliveryEvent[][] {
  const all: DeliveryEvent[][] = [];
  let characters = Infinity;
  for (const event of events) {
    const { length } = formatEvent(event);
    characters += length;
    if (characters > MOST_CHARACTERS) {
      all.push([]);
      characters = length;
    }
    all.at(-1)?.push(event);
  }
  return all;
}

function formatBlock(events: readonly DeliveryEvent[]): string {
  const to = new ColumnWriter();
  for (const event of events) {
    kinds.put(event.kind, to, "kind");
    repository.put(event.repository, to, "repository");
    ownFields(event.kind).put(event, to, "");
    if (event.kind === "run-completed") putJobs(event.jobs, event.started, to);
    // Last: a run's end is the end of its last job, and costs nothing after it.
    instant.put(event.at, to, "at");
  }
  return `${JSON.stringify({ v: BLOCK_VERSION, kind: BLOCK_KIND, events: events.length, ...to.finish() })}\n`;
}

/** @returns the events of a block, by thread; undefined where it is one of later @throws {NoField} where it is none */
export function readBlock(
  wire: Readonly<Record<string, unknown>>,
): readonly DeliveryEvent[] | undefined {
  const { events: count } = wire;
  if (
    !Number.isSafeInteger(count) ||
    (count as number) < 0 ||
    (count as number) > MOST_EVENTS
  )
    throw new NoField("no number of events");
  const { columns, words } = wire;
  if (namesLater(words)) return undefined;
  const from = new ColumnReader(columns, words);
  const takeKind = kinds.open(from, "kind");
  const takeRepository = repository.open(from, "repository");
  const takeAt = instant.open(from, "at");
  const takeJobs = openJobs(from);
  const own = new Map<EventKind, Take<object>>();
  const events: DeliveryEvent[] = [];
  while (events.length < (count as number)) {
    const kind = takeKind();
    const inRepository = takeRepository();
    let takeOwn = own.get(kind);
    if (!takeOwn) own.set(kind, (takeOwn = ownFields(kind).open(from, "")));
    // One object an event, filled in place: there may be a hundred thousand of them.
    const event = takeOwn() as Filling;
    event.kind = kind;
    event.repository = inRepository;
    if (kind === "run-completed") event.jobs = takeJobs(event.started);
    event.at = takeAt();
    events.push(event as DeliveryEvent);
  }
  if (from.unknown.length > 0) return undefined;
  from.close();
  return events;
}

/** An event before all of it is there. */
interface Filling {
  kind: EventKind;
  repository: string;
  at: Instant;
  readonly started: Instant;
  jobs: readonly Job[];
}

/** Whether kinds of events are in it that this version does not know. */
function namesLater(words: unknown): boolean {
  const { kind } = Object(words) as { readonly kind?: unknown };
  return (
    Array.isArray(kind) &&
    kind.some(
      (each) =>
        typeof each === "string" &&
        !(EVENT_KINDS as readonly string[]).includes(each),
    )
  );
}
