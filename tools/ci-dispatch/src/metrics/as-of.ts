import { DAY_MS } from "@skein/delivery-metrics";

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const TIME =
  /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})$/;

/**
 * Returns the end of a window: for a day, its end in UTC; for a time, the time itself, which must have a zone.
 * @returns milliseconds since 1970; undefined if the text is neither a day nor a time
 */
export function parseAsOf(text: string): number | undefined {
  const ms = TIME.test(text) ? Date.parse(text) : startOfDay(text) + DAY_MS;
  return Number.isNaN(ms) ? undefined : ms;
}

/** Returns the beginning of a day in UTC, `2026-01-31`; NaN for any other text. */
export function startOfDay(text: string): number {
  const at = DAY.test(text) ? Date.parse(text) : NaN;
  // JavaScript may accept 30 February, and treat it as a day in March.
  return Number.isNaN(at) || !new Date(at).toISOString().startsWith(text)
    ? NaN
    : at;
}
