import type { SeriesPoint } from "@skein/delivery-metrics";
import { scaleUtc } from "d3-scale";
import { spanScale, type SpanScale } from "./time-scale.js";

/** A day with annotations, and its number in the list below the chart. */
export interface Marker {
  readonly number: number;
  /** `2026-01-31` */
  readonly day: string;
}

export interface TrendSize {
  readonly name: "wide" | "narrow";
  readonly width: number;
  readonly height: number;
}

export const LEFT = 64;
export const RIGHT = 26;
export const TOP = 40;
const BOTTOM = 26;
/** The height of the bars that show the number of pull requests per day. */
export const STRIP = 34;
const GAP = 12;
export const MARKER = 18;
const ROWS = 2;

/** The points of a trend chart, and where they are. */
export interface TrendLayout {
  readonly series: readonly SeriesPoint[];
  /** The points with a trailing P90. */
  readonly known: readonly KnownPoint[];
  readonly size: TrendSize;
  /** The width of the bar of a day. */
  readonly bar: number;
  /** Returns the horizontal position of a day. */
  readonly x: (point: { readonly day: string }) => number;
  /** Returns the vertical position of a span. */
  readonly y: SpanScale;
  /** The vertical position at which bars and markers end. */
  readonly floor: number;
}

/** Determines the axes of a trend chart. */
export function layOutTrend(
  series: readonly SeriesPoint[],
  budget: number | undefined,
  size: TrendSize,
): TrendLayout {
  const { width, height } = size;
  const known = series.filter(isKnown);
  const bottom = height - BOTTOM - STRIP - GAP;
  const most = Math.max(
    ...known.map(({ p90, interval }) => interval?.high ?? p90),
    ...series.map(({ dayP90 }) => dayP90 ?? 0),
    budget ?? 0,
  );
  const days = series.map(({ day }) => new Date(day));
  const bar = Math.max(1, (0.7 * (width - LEFT - RIGHT)) / series.length);
  // The bars of the first and the last day must not cover the labels of the axis.
  const inset = Math.max(6, bar / 2);
  const x = scaleUtc()
    .domain([days[0] ?? 0, days.at(-1) ?? 1])
    .range([LEFT + inset, width - RIGHT - inset]);
  return {
    series,
    known,
    size,
    bar,
    x: ({ day }) => x(new Date(day)),
    y: spanScale(most * 1.06, [bottom, TOP], Math.floor(height / 55)),
    floor: height - BOTTOM,
  };
}

/** Returns the last day, and days before it at equal steps. The steps are whole weeks in long series. */
export function labelledDays(
  series: readonly SeriesPoint[],
  most: number,
): readonly SeriesPoint[] {
  const step =
    [1, 2, 7, 14, 28, 56].find((each) => series.length / each <= most) ?? 112;
  return series.filter((_, index) => (series.length - 1 - index) % step === 0);
}

/** A point with a trailing P90. */
export type KnownPoint = SeriesPoint & { readonly p90: number };

/** Returns whether a point has a trailing P90. */
export function isKnown(point: SeriesPoint): point is KnownPoint {
  return point.p90 !== null;
}

/** Distributes the heads of markers over rows, so that they don't cover one another. */
export function rowsOf(
  markers: readonly Marker[],
  placeOf: (marker: Marker) => number,
): readonly { number: number; x: number; row: number }[] {
  const ends = Array.from({ length: ROWS }, () => -Infinity);
  return markers.map((marker) => {
    const x = placeOf(marker);
    const free = ends.findIndex((end) => end + MARKER <= x);
    const row = free < 0 ? ends.indexOf(Math.min(...ends)) : free;
    ends[row] = x;
    return { number: marker.number, x, row };
  });
}
