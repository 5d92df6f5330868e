import { parseDuration } from "@skein/delivery-metrics";
import { printable, usageFailure } from "@skein/reporting";
import { startOfDay } from "./as-of.js";

/**
 * Parses `8w`, `10d`, `36h`, or a date (`2026-01-31`, which means its beginning in UTC).
 * @param now milliseconds since 1970
 * @returns milliseconds since 1970
 * @throws {Failure} for other texts and for times in the future
 */
export function parseSince(text: string, now: number): number {
  const span = /^\d{1,5}[hdw]$/.test(text) ? parseDuration(text) : undefined;
  const at = span === undefined ? startOfDay(text) : now - span;
  if (!(at >= 0 && at <= now))
    throw usageFailure(`--since ${printable(text)} isn't a time in the past`, {
      hint: "use a time span, 8w, 10d or 36h, or a date, 2026-01-31",
    });
  return at;
}
