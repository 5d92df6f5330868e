import { BLOCK_KIND, BLOCK_VERSION, readBlock } from "./columns/block.js";
import type { DeliveryEvent, EventKind } from "./event.js";
import { EVENT_FIELDS } from "./event-fields.js";
import { LINE_VERSION, readEvent } from "./line.js";
import { NoField } from "./no-field.js";
import type { SharedText } from "./shared-text.js";

/**
 * The maximum length of a line. A run with 10,000 jobs has a quarter of this in one line, and a block of the longest
 * titles isn't longer.
 */
const LONGEST_LINE = 32 * 1024 * 1024;

/** A line without an event that this version supports. */
export type Stray =
  /** An event of a later kind or version. A program that rewrites the file must preserve it. */
  | { readonly why: "later"; readonly line: number; readonly kind: string }
  | { readonly why: "malformed"; readonly line: number }
  /**
   * A last line without a newline that isn't an event. Writing stopped in the middle of it, so later events are lost.
   */
  | { readonly why: "cut"; readonly line: number };

/** The events of an NDJSON text, in its order. */
export interface ParsedEvents {
  readonly events: readonly DeliveryEvent[];
  /** All other lines, 1-based. None is skipped silently. */
  readonly strays: readonly Stray[];
}

/**
 * Parses NDJSON. The text is untrusted: for any input, each line becomes an event or a stray.
 * @param shared the pool for texts that events of several files repeat; by default each event has its own copies
 */
export function parseEvents(text: string, shared?: SharedText): ParsedEvents {
  const events: DeliveryEvent[] = [];
  const strays: Stray[] = [];
  let line = 0;
  for (let from = 0; from < text.length; line++) {
    const newline = text.indexOf("\n", from);
    const to = newline < 0 ? text.length : newline;
    const words = text.slice(from, to).trim();
    from = to + 1;
    if (words === "") continue;
    const parsed = parseLine(words);
    if (typeof parsed === "string")
      strays.push({ why: "later", line: line + 1, kind: parsed });
    else if (!parsed)
      strays.push({ why: newline < 0 ? "cut" : "malformed", line: line + 1 });
    else
      for (const event of parsed) {
        shared?.into(event);
        events.push(event);
      }
  }
  return { events, strays };
}

/**
 * Parses a line.
 * @returns one event, or those of a block; the kind if it is from a later version; undefined if it isn't an event
 */
function parseLine(
  line: string,
): readonly DeliveryEvent[] | string | undefined {
  if (line.length > LONGEST_LINE) return undefined;
  try {
    const wire: unknown = JSON.parse(line);
    if (typeof wire !== "object" || wire === null) return undefined;
    const members = wire as Record<string, unknown>;
    const { v, kind } = members;
    if (typeof v !== "number" || typeof kind !== "string") return undefined;
    if (v === BLOCK_VERSION && kind === BLOCK_KIND)
      return readBlock(members) ?? kind;
    return v === LINE_VERSION && Object.hasOwn(EVENT_FIELDS, kind)
      ? [readEvent(kind as EventKind, members)]
      : v >= LINE_VERSION
        ? kind
        : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof NoField)
      return undefined;
    throw error;
  }
}
