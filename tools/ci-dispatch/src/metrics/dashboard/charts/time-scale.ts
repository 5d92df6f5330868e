import { scaleLinear } from "d3-scale";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Where spans of time stand on an axis. */
export interface SpanScale {
  /** Place of a span. @param ms milliseconds */
  (ms: number): number;
  /** Round spans, and what stands beside them. */
  readonly ticks: readonly { readonly ms: number; readonly label: string }[];
}

/**
 * An axis from nothing to a span, with ticks at round numbers of seconds, minutes, hours or days.
 * @param most milliseconds
 * @param place where nothing and `most` are
 * @param count about so many ticks
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

/** Hours are counted in sixes and twelves, minutes and seconds in fifteens, as clocks are. */
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
