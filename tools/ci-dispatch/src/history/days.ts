import { gunzipSync, gzipSync } from "node:zlib";
import type { HistoryEvent } from "./event.js";
import { eventLine } from "./event.js";

/** The file of an event: one a day, by UTC. */
export function dayOf({ at }: HistoryEvent): string {
  return new Date(at).toISOString().slice(0, 10);
}

/** `2026-01-31.ndjson.gz`, and for a day whose file is broken `2026-01-31.1.ndjson.gz`. */
const NAME = /^(\d{4}-\d{2}-\d{2})(?:\.\d+)?\.ndjson\.gz$/;

/** The day that a file of the branch holds; undefined for any other file. */
export function dayOfFile(name: string): string | undefined {
  return NAME.exec(name)?.[1];
}

/** A day's file name. @param turn 0 for the first; more where earlier ones are broken */
export function fileOfDay(day: string, turn: number): string {
  return `${day}${turn === 0 ? "" : `.${turn}`}.ndjson.gz`;
}

/** The text of a day's file; undefined where it is broken. */
export function unpackDay(bytes: Buffer): string | undefined {
  try {
    return gunzipSync(bytes).toString("utf8");
  } catch {
    return undefined;
  }
}

/** A day's file with these events at its end. One that is there already, to the letter, is not written again. */
export function appendDay(
  text: string,
  events: readonly HistoryEvent[],
): Buffer {
  const known = new Set(text.split("\n"));
  const fresh = events
    .map(eventLine)
    .filter((line) => !known.has(line.trimEnd()));
  const whole = text === "" || text.endsWith("\n") ? text : `${text}\n`;
  return gzipSync(whole + fresh.join(""), { level: 9 });
}

/** Events by day. */
export function byDay(
  events: readonly HistoryEvent[],
): ReadonlyMap<string, readonly HistoryEvent[]> {
  const days = new Map<string, HistoryEvent[]>();
  for (const event of events) {
    const list = days.get(dayOf(event));
    if (list) list.push(event);
    else days.set(dayOf(event), [event]);
  }
  return days;
}
