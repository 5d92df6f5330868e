import type { DeliveryEvent, EventKind } from "./event.js";
import { EVENT_FIELDS, ownFields } from "./event-fields.js";
import { instant, NoField, repository } from "./field.js";
import { readJobs, writeJobs } from "./job-columns.js";

/** Of the lines. A later version is not read by guess. */
const VERSION = 1;
/** A run with 10,000 jobs is a quarter of this. */
const LONGEST_LINE = 4 * 1024 * 1024;

/** A line that is no event which this version knows. */
export type Stray =
  /** An event of a kind or version of later: to be kept as it is by whoever writes the file anew. */
  | { readonly why: "later"; readonly line: number; readonly kind: string }
  | { readonly why: "malformed"; readonly line: number };

/** What a text of NDJSON came to, in its order. */
export interface ParsedEvents {
  readonly events: readonly DeliveryEvent[];
  /** 1-based lines. Nothing is left out in silence. */
  readonly strays: readonly Stray[];
}

/** One event as a line of NDJSON, its newline included. */
export function formatEvent(event: DeliveryEvent): string {
  const line: Record<string, unknown> = {
    v: VERSION,
    kind: event.kind,
    at: instant.write(event.at),
    repository: event.repository,
  };
  Object.assign(line, ownFields(event.kind).write(event));
  if (event.kind === "run-completed")
    line["jobs"] = writeJobs(event.jobs, event.started);
  return `${JSON.stringify(line)}\n`;
}

/** Parses NDJSON. The text is untrusted: whatever is in it, each line is an event or a stray. */
export function parseEvents(text: string): ParsedEvents {
  const events: DeliveryEvent[] = [];
  const strays: Stray[] = [];
  let line = 0;
  for (let from = 0; from < text.length; line++) {
    const newline = text.indexOf("\n", from);
    const to = newline < 0 ? text.length : newline;
    const words = text.slice(from, to).trim();
    from = to + 1;
    if (words === "") continue;
    const parsed = parseEvent(words);
    if (typeof parsed === "string")
      strays.push({ why: "later", line: line + 1, kind: parsed });
    else if (parsed) events.push(parsed);
    else strays.push({ why: "malformed", line: line + 1 });
  }
  return { events, strays };
}

/** @returns the kind where it is of later, undefined where it is no event at all */
function parseEvent(line: string): DeliveryEvent | string | undefined {
  if (line.length > LONGEST_LINE) return undefined;
  try {
    const wire: unknown = JSON.parse(line);
    if (typeof wire !== "object" || wire === null) return undefined;
    const {
      v,
      kind,
      at,
      repository: name,
      jobs,
    } = wire as Record<string, unknown>;
    if (typeof v !== "number" || typeof kind !== "string") return undefined;
    if (v !== VERSION || !Object.hasOwn(EVENT_FIELDS, kind))
      return v >= VERSION ? kind : undefined;
    // One object an event, filled in place: there may be a hundred thousand of them.
    const event = Object.assign(ownFields(kind as EventKind).read(wire), {
      kind,
      at: instant.read(at),
      repository: repository.read(name),
    }) as DeliveryEvent;
    return event.kind === "run-completed"
      ? Object.assign(event, { jobs: readJobs(jobs, event.started) })
      : event;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof NoField)
      return undefined;
    throw error;
  }
}
