import { BLOCK_KIND, BLOCK_VERSION, readBlock } from "./columns/block.js";
import type { DeliveryEvent, EventKind } from "./event.js";
import { EVENT_FIELDS } from "./event-fields.js";
import { LINE_VERSION, readEvent } from "./line.js";
import { NoField } from "./no-field.js";

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

/** Parses NDJSON. The text is untrusted: for any input, each line becomes an event or a stray. */
export function parseEvents(text: string): ParsedEvents {
  const events: DeliveryEvent[] = [];
  const parser = new EventParser((event) => events.push(event));
  parser.add(text);
  return { events, strays: parser.end() };
}

/** Parses NDJSON piece by piece, so that memory holds one line at a time. */
export class EventParser {
  readonly #take: (event: DeliveryEvent) => void;
  readonly #strays: Stray[] = [];
  #line = 0;
  /** The beginning of a line whose end is in a later piece. */
  #rest = "";

  /** @param take is called with each event */
  constructor(take: (event: DeliveryEvent) => void) {
    this.#take = take;
  }

  /** Parses the next piece of the text, which may end within a line. */
  add(piece: string): void {
    let from = 0;
    for (;;) {
      const newline = piece.indexOf("\n", from);
      if (newline < 0) break;
      this.#parse(this.#rest + piece.slice(from, newline), "malformed");
      this.#rest = "";
      from = newline + 1;
    }
    this.#rest += piece.slice(from);
  }

  /** Parses a last line that has no newline. @returns all lines without an event */
  end(): readonly Stray[] {
    this.#parse(this.#rest, "cut");
    this.#rest = "";
    return this.#strays;
  }

  #parse(text: string, otherwise: "malformed" | "cut"): void {
    const line = ++this.#line;
    const words = text.trim();
    if (words === "") return;
    const parsed = parseLine(words);
    if (typeof parsed === "string")
      this.#strays.push({ why: "later", line, kind: parsed });
    else if (!parsed) this.#strays.push({ why: otherwise, line });
    else for (const event of parsed) this.#take(event);
  }
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
