import type { Instant } from "../events/event.js";

/** A time range that includes its start and excludes its end. */
export interface Span {
  readonly from: Instant;
  readonly to: Instant;
}

/** Time ranges in order that neither touch nor overlap. None is empty. Only this file creates them. */
export type Spans = readonly Span[];

/** Returns the time that any of these covers. A span that ends before it starts covers nothing. */
export function union(spans: readonly Span[]): Spans {
  const sorted = spans
    .filter(({ from, to }) => from < to)
    .sort((a, b) => a.from - b.from);
  const joined: Span[] = [];
  let last: Span | undefined;
  for (const span of sorted)
    if (!last || span.from > last.to) joined.push((last = span));
    else if (span.to > last.to)
      joined[joined.length - 1] = last = { from: last.from, to: span.to };
  return joined;
}

/** Returns the time that the first covers and the second doesn't. */
export function minus(these: Spans, those: Spans): Spans {
  const left: Span[] = [];
  let next = 0;
  for (const { from, to } of these) {
    let start = from;
    while ((those[next]?.to ?? Infinity) <= start) next++;
    for (let index = next; start < to; index++) {
      const hole = those[index];
      if (!hole || hole.from >= to) {
        left.push({ from: start, to });
        break;
      }
      if (hole.from > start) left.push({ from: start, to: hole.from });
      start = hole.to;
    }
  }
  return left;
}

/** Returns the time that both cover. */
export function both(these: Spans, those: Spans): Spans {
  return minus(these, minus(these, those));
}

/** Returns the total length in milliseconds. */
export function lengthOf(spans: Spans): number {
  return spans.reduce((sum, { from, to }) => sum + (to - from), 0);
}
