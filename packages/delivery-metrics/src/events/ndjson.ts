import { BLOCK_KIND, BLOCK_VERSION, readBlock } from "./columns/block.js";
import type { DeliveryEvent, EventKind } from "./event.js";
import { EVENT_FIELDS } from "./event-fields.js";
import { LINE_VERSION, readEvent } from "./line.js";
import { NoField } from "./no-field.js";
import type { SharedText } from "./shared-text.js";

/** A run with 10,000 jobs is a quarter of this as a line of its own, and a block of the longest titles is no longer. */
const LONGEST_LINE = 32 * 1024 * 1024;

/** A line that is no event which this version knows. */
export type Stray =
  /** An event of a kind or version of later: to be kept as it is by whoever writes the file anew. */
  | { readonly why: "later"; readonly line: number; readonly kind: string }
  | { readonly why: "malformed"; readonly line: number }
  /**
   * A last line without its newline that is no event: somebody stopped writing in the middle of it, so events behind it
   * are lost.
   */
  | { readonly why: "cut"; readonly line: number };

/** The events of a text of NDJSON, in its order. */
export interface ParsedEvents {
  readonly events: readonly DeliveryEvent[];
  /** 1-based lines. Nothing is left out in silence. */
  readonly strays: readonly Stray[];
}

/**
 * Parses NDJSON. The text is untrusted: whatever is in it, each line is an event or a stray.
 * @param shared holds the texts that events of several files repeat; undefined: each event has its own
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

/** @returns one event, or those of a block; the kind where it is of later; undefined where it is none at all */
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
