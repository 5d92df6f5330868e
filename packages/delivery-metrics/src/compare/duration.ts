const UNITS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  min: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 7 * 86_400_000,
};

/**
 * Parses `120m`, `1.55 d`, `6w`.
 * @returns milliseconds; undefined if the text isn't a duration
 */
export function parseDuration(text: string): number | undefined {
  const [, amount = "", unit = ""] =
    /^\s*(\d+(?:\.\d+)?)\s*([a-z]+)\s*$/.exec(text) ?? [];
  const factor = Object.hasOwn(UNITS, unit) ? UNITS[unit] : undefined;
  return factor === undefined ? undefined : Number(amount) * factor;
}

/**
 * Formats a lead time in one unit with one decimal, so that two of them are easy to compare: `12 s`, `125.1 min`,
 * `38.9 h`, `4.2 d`.
 * @param ms milliseconds
 */
export function showLeadTime(ms: number): string {
  const in_ = (unit: string, factor: number) =>
    `${Number((ms / factor).toFixed(1))} ${unit}`;
  if (ms < 90_000) return in_("s", 1000);
  if (ms < 3 * 3_600_000) return in_("min", 60_000);
  if (ms < 3 * 86_400_000) return in_("h", 3_600_000);
  return in_("d", 86_400_000);
}
