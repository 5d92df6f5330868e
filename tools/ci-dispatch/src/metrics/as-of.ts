const DAY = /^\d{4}-\d{2}-\d{2}$/;
const TIME =
  /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})$/;

/**
 * The end of a window: of a day, its end in UTC; of a time, that time, whose zone must be said.
 * @returns milliseconds since 1970; undefined where it is neither
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
  // 30 February is no day, though JavaScript may take it for one in March.
  return Number.isNaN(start.getTime()) || !start.toISOString().startsWith(text)
    ? NaN
    : start.getTime() + 86_400_000;
}
