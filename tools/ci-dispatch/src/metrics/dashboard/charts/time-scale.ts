import { scaleLinear } from "d3-scale";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A scale that maps spans of time to positions on an axis. */
export interface SpanScale {
  /**
   * Returns the position of a span.
   * @param ms milliseconds
   */
  (ms: number): number;
  /** Round spans and their labels. */
  readonly ticks: readonly { readonly ms: number; readonly label: string }[];
}

/**
 * Creates an axis from 0 to a span, with ticks at round numbers of seconds, minutes, hours or days.
 * @param most milliseconds
 * @param place the positions of 0 and `most`
 * @param count the approximate number of ticks
 */
export function spanScale(
  most: number,
  place: readonly [from: number, to: number],
  count: number,
): SpanScale {
  const [unit, word] = unitOf(most);
  const scale = scaleLinear()
    .domain([0, Math.max(most, 1) / unit])
    .range(place);
  return Object.assign((ms: number) => scale(ms / unit), {
    ticks: stepsOf(scale.domain()[1] ?? 1, word, count).map((value) => ({
      ms: value * unit,
      label: value === 0 ? "0" : `${value} ${word}`,
    })),
  });
}

function unitOf(most: number): readonly [unit: number, word: string] {
  if (most >= 3 * DAY) return [DAY, "d"];
  if (most >= 3 * HOUR) return [HOUR, "h"];
  if (most >= 3 * MINUTE) return [MINUTE, "min"];
  return [1000, "s"];
}

/** The steps follow clocks: hours use 6 and 12, minutes and seconds use 15. */
const STEPS: Readonly<Record<string, readonly number[]>> = {
  d: [0.5, 1, 2, 5, 10, 20, 50, 100],
  h: [0.5, 1, 2, 3, 6, 12, 24],
  min: [0.5, 1, 2, 5, 10, 15, 30, 60],
  s: [0.5, 1, 2, 5, 10, 15, 30, 60],
};

function stepsOf(most: number, word: string, count: number): readonly number[] {
  const steps = STEPS[word] ?? [];
  const step = steps.find((each) => most / each <= count) ?? steps.at(-1) ?? 1;
  return Array.from(
    { length: Math.floor(most / step) + 1 },
    (_, index) => index * step,
  );
}

/** Rounds to tenths of a pixel, which are precise enough. */
export function at(place: number): number {
  return Math.round(place * 10) / 10;
}
