import type { Instant } from "../events/event.js";
import type { Span } from "../spans/spans.js";

/** Clocks differ: a span that ends before it begins is nothing, and is counted, so that nobody has to guess how many there were. */
export class Skew {
  #spans = 0;

  get spans(): number {
    return this.#spans;
  }

  /** A span, empty where its end is before its beginning. */
  span(from: Instant, to: Instant): Span {
    if (to < from) this.#spans++;
    return { from, to: Math.max(from, to) };
  }
}
