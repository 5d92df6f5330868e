import { gzipSync } from "node:zlib";
import { eventLine, type HistoryEvent } from "./event.js";

/** Each day in UTC has a file: `2026-01-31.ndjson.gz`, or `2026-01-31.1.ndjson.gz` if the day's first file is broken. */
const NAME = /^(\d{4}-\d{2}-\d{2})(?:\.\d+)?\.ndjson\.gz$/;

/** Returns the day of one of the branch's files; undefined for any other file. */
export function dayOfFile(name: string): string | undefined {
  return NAME.exec(name)?.[1];
}

/**
 * Returns the name of a day's file.
 * @param turn 0 for the first file; higher if earlier ones are broken
 */
export function fileOfDay(day: string, turn: number): string {
  return `${day}${turn === 0 ? "" : `.${turn}`}.ndjson.gz`;
}

/** Returns a day's file with these events appended. It skips events whose line the file already contains. */
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
