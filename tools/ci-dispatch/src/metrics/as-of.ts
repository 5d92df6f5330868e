const DAY = /^\d{4}-\d{2}-\d{2}$/;
const TIME =
  /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})$/;

/**
 * Returns the end of a window: for a day, its end in UTC; for a time, the time itself, which must have a zone.
 * @returns milliseconds since 1970; undefined if the text is neither a day nor a time
 */
export function parseAsOf(text: string): number | undefined {
  const ms = DAY.test(text)
    ? endOfDay(text)
    : TIME.test(text)
      ? Date.parse(text)
      : NaN;
  return Number.isNaN(ms) ? undefined : ms;
}

function endOfDay(text: string): number {
  const start = new Date(`${text}T00:00:00Z`);
  // JavaScript may accept 30 February, and treat it as a day in March.
  return Number.isNaN(start.getTime()) || !start.toISOString().startsWith(text)
    ? NaN
    : start.getTime() + 86_400_000;
}
