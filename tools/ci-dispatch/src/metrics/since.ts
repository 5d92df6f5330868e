import { printable, usageFailure } from "@skein/reporting";

const UNITS: Readonly<Record<string, number>> = {
  h: 3_600_000,
  d: 86_400_000,
  w: 7 * 86_400_000,
};

/**
 * Parses `8w`, `10d`, `36h`, or a date (`2026-01-31`, which means its beginning in UTC).
 * @param now milliseconds since 1970
 * @returns milliseconds since 1970
 * @throws {Failure} for other texts and for times in the future
 */
export function parseSince(text: string, now: number): number {
  const [, amount, unit = ""] = /^(\d{1,5})([hdw])$/.exec(text) ?? [];
  const at =
    amount === undefined
      ? /^\d{4}-\d{2}-\d{2}$/.test(text)
        ? Date.parse(text)
        : Number.NaN
      : now - Number(amount) * (UNITS[unit] ?? 0);
  if (!(at >= 0 && at <= now))
    throw usageFailure(`--since ${printable(text)} isn't a time in the past`, {
      hint: "use a time span, 8w, 10d or 36h, or a date, 2026-01-31",
    });
  return at;
}
