import { html, type Html } from "./html.js";

/** A column whose spans share a unit, so that a longer number is a longer span. */
export interface Column {
  /** `P90 (min)` */
  readonly head: (title: string) => Html;
  /** Returns a number without its unit; `≥ 12` for a lower bound. */
  readonly show: (ms: number, atLeast?: boolean) => string;
}

const UNITS = [
  { word: "d", ms: 86_400_000 },
  { word: "h", ms: 3_600_000 },
  { word: "min", ms: 60_000 },
  { word: "s", ms: 1000 },
] as const;
const SMALLEST = UNITS[3];

/**
 * Chooses the unit of a column: that of the longest span, or a smaller one if the shortest would be less than a tenth
 * of it.
 * @param spans milliseconds; null for cells without a span
 */
export function columnOf(spans: readonly (number | null)[]): Column {
  const some = spans.filter((ms) => ms !== null && ms > 0) as number[];
  const [least, most] = [Math.min(...some), Math.max(...some)];
  // The longest must be at least three units: 50 h instead of 2.1 d. That avoids most changes of unit.
  const unit =
    UNITS.find(({ ms }) => most >= 3 * ms && least >= ms / 10) ?? SMALLEST;
  return {
    head: (title) =>
      html`${title}
        <span class="unit">${some.length > 0 ? `(${unit.word})` : ""}</span>`,
    show: (ms, atLeast = false) =>
      `${atLeast ? "≥ " : ""}${Number((ms / unit.ms).toFixed(1)).toLocaleString("en-US")}`,
  };
}
