import type { Change } from "@skein/delivery-metrics";
import { html, type Html } from "./html.js";

/**
 * The direction in which a P90 changed. A change is clear if its interval excludes 0. It is unknown without an
 * interval, as in stored reports.
 */
type Direction = "less" | "more" | "none" | "unknown";

/** Returns the direction of a change. */
function directionOf({ percent, interval }: Change): Direction {
  if (percent === null || interval === null) return "unknown";
  if (interval.low <= 0 && interval.high >= 0) return "none";
  return percent < 0 ? "less" : "more";
}

const ARROWS: Readonly<Record<Direction, string>> = {
  less: "↓ ",
  more: "↑ ",
  none: "",
  unknown: "",
};
/** A shorter time is better. */
const CLASSES: Readonly<Record<Direction, string>> = {
  less: "good",
  more: "bad",
  none: "quiet",
  unknown: "quiet",
};

/**
 * Returns a table cell with a change and its interval. A clear change has a colour and an arrow; others are grey and in
 * words.
 */
export function changeCell(change: Change): Html {
  const { percent, interval } = change;
  const direction = directionOf(change);
  // A change from 0 has no percentage.
  if (percent === null)
    return html`<span class="quiet"
      >${change.before.ms === 0 ? "from 0" : "unknown"}</span
    >`;
  const between = interval
    ? html`<small>${signed(interval.low)} to ${signed(interval.high)}</small>`
    : undefined;
  return direction === "none"
    ? html`<span class="quiet">no clear change</span>${between}`
    : html`<b class="${CLASSES[direction]}"
          >${ARROWS[direction]}${signed(percent)}</b
        >${between}`;
}

/**
 * Returns the line below the big number.
 * @param since the end of the window before
 */
export function changeLine(change: Change, since: string): Html | undefined {
  const { percent, interval } = change;
  if (percent === null) return undefined;
  const direction = directionOf(change);
  const between = interval
    ? `95 % confidence interval ${signed(interval.low)} to ${signed(interval.high)}`
    : "no interval: the earlier report contains no values";
  const words = direction === "none" ? "no clear change" : signed(percent);
  return html`<p class="change ${CLASSES[direction]}">
    <b>${ARROWS[direction]}${words}</b> against the window up to ${since}
    <small>${between}</small>
  </p>`;
}

/** Returns `−94.6 %`, with a minus sign as wide as a plus. A change that rounds to 0 has no sign. */
function signed(percent: number): string {
  const text = Math.abs(percent).toFixed(1);
  const sign = text === "0.0" ? "" : percent < 0 ? "−" : "+";
  return `${sign}${text}\u00a0%`; // No line break before the sign.
}
