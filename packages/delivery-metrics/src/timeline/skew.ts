import type { Instant } from "../events/event.js";
import type { Span } from "../spans/spans.js";

/**
 * A counter of spans that end before they start, because clocks differ. Such a span counts as empty, and the report
 * contains their number.
 */
export class Skew {
  #spans = 0;

  get spans(): number {
    return this.#spans;
  }

  /** Returns a span, which is empty if its end is before its start. */
  span(from: Instant, to: Instant): Span {
    if (to < from) this.#spans++;
    return { from, to: Math.max(from, to) };
  }
}
