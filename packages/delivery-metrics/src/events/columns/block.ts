import type { DeliveryEvent, EventKind, Instant, Job } from "../event.js";
import { EVENT_KINDS, ownFields } from "../event-fields.js";
import { instant, oneOf, repository } from "../field.js";
import { openJobs } from "../job-columns.js";
import { NoField } from "../no-field.js";
import { ColumnReader, type Take } from "./column-reader.js";

/**
 * The version of blocks. Until 0.1 the store wrote a day's events as one line, with a column for each field. Blocks are
 * only read. The next event of a day replaces its block by lines. This folder will be removed in the release after 0.1.
 */
export const BLOCK_VERSION = 2;
/** The `kind` of a block, which no event has. */
export const BLOCK_KIND = "block";

/** The maximum number of events in a block. A block with a larger number is invalid. */
const MOST_EVENTS = 100_000;

const kinds = oneOf(EVENT_KINDS);

/**
 * Reads a block.
 * @returns its events, by thread; undefined if a later version wrote it
 * @throws {NoField} if it isn't a block
 */
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
    // Each event is one object, which is filled in place, because there may be a hundred thousand of them.
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

/** An incomplete event. */
interface Filling {
  kind: EventKind;
  repository: string;
  at: Instant;
  readonly started: Instant;
  jobs: readonly Job[];
}

/** Returns whether the block contains kinds of events that this version doesn't support. */
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
