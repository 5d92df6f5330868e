import { html } from "./html.js";
import type { Html } from "./html.js";

/** One unit for all spans of a column, so that the longer number is the longer span. */
export interface Column {
  /** `P90 (min)` */
  readonly head: (title: string) => Html;
  /** A number without its unit; `≥ 12` where it is only bounded. */
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
 * Returns the column of spans: in the unit of the longest, or in a smaller one where the shortest would not show as a tenth of it.
 * @param spans milliseconds; null for cells without one
 */
export function columnOf(spans: readonly (number | null)[]): Column {
  const some = spans.filter((ms) => ms !== null && ms > 0) as number[];
  const [least, most] = [Math.min(...some), Math.max(...some)];
  // Three of them are 72 h rather than 3 d: fewer changes of unit.
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
