import { showLeadTime } from "@skein/delivery-metrics";
import type { SeriesPoint } from "@skein/delivery-metrics";
import { count } from "@skein/reporting";
import { scaleUtc } from "d3-scale";
import { area, line } from "d3-shape";
import { html } from "../html.js";
import type { Html } from "../html.js";
import { dayOf } from "../words.js";
import { showBound, showInterval } from "../../render/words.js";
import { spanScale } from "./time-scale.js";

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

const LEFT = 64;
const RIGHT = 26;
const TOP = 40;
const BOTTOM = 26;
/** The height of the bars that show the number of pull requests per day. */
const STRIP = 34;
const GAP = 12;
/** The width of the number at the line’s end. */
const LABEL = 90;
const MARKER = 18;
const ROWS = 2;

/**
 * Draws the trailing P90 by day as a line and its interval as a band. Dots are the P90 of single days, numbered lines
 * are annotations, and bars are deliveries.
 */
export function trendChart(
  series: readonly SeriesPoint[],
  markers: readonly Marker[],
  budget: number | undefined,
  { name, width, height }: TrendSize,
): Html {
  const known = series.filter(isKnown);
  const bottom = height - BOTTOM - STRIP - GAP;
  const most = Math.max(
    ...known.map(({ p90, interval }) => interval?.high ?? p90),
    ...series.map(({ dayP90 }) => dayP90 ?? 0),
    budget ?? 0,
  );
  const y = spanScale(most * 1.06, [bottom, TOP], Math.floor(height / 55));
  const days = series.map(({ day }) => new Date(day));
  const x = scaleUtc()
    .domain([days[0] ?? 0, days.at(-1) ?? 1])
    .range([LEFT + 6, width - RIGHT - 6]);
  const placeOf = ({ day }: { readonly day: string }) => x(new Date(day));
  const band = area<SeriesPoint>()
    .defined(({ interval }) => interval !== null)
    .x(placeOf)
    .y0(({ interval }) => y(interval?.low ?? 0))
    // An interval without an upper end extends to the top.
    .y1(({ interval }) =>
      interval?.high === null ? TOP : y(interval?.high ?? 0),
    );
  const trend = line<SeriesPoint>()
    .defined(isKnown)
    .x(placeOf)
    .y(({ p90 }) => y(p90 ?? 0));
  const last = known.at(-1);
  // The label is above the line and the dots near the line's end.
  const near = known.filter((point) => placeOf(point) > width - RIGHT - LABEL);
  const label = Math.max(
    ...near.map(({ p90, dayP90 }) => Math.max(p90, dayP90 ?? 0)),
  );
  const busiest = Math.max(1, ...series.map(({ delivered }) => delivered));
  const bar = Math.max(1, (0.7 * (width - LEFT - RIGHT)) / series.length);
  const floor = height - BOTTOM;
  return html`<svg
    class="chart ${name}"
    viewBox="0 0 ${width} ${height}"
    role="img"
    aria-labelledby="trend-title"
    aria-describedby="trend-text"
  >
    ${y.ticks.map(
      ({ ms, label }) =>
        html`<line
            class="grid"
            x1="${LEFT}"
            x2="${width - RIGHT}"
            y1="${at(y(ms))}"
            y2="${at(y(ms))}"
          /><text class="axis end" x="${LEFT - 8}" y="${at(y(ms) + 4)}"
            >${label}</text
          >`,
    )}
    ${labelled(series, (width - LEFT - RIGHT) / 84).map(
      (tick) =>
        html`<text
          class="axis middle"
          x="${at(placeOf(tick))}"
          y="${height - 6}"
          >${dayOf(tick.day)}</text
        >`,
    )}
    ${series.map(
      (point) =>
        html`<rect
          class="delivered"
          x="${at(placeOf(point) - bar / 2)}"
          width="${at(bar)}"
          y="${at(floor - (STRIP * point.delivered) / busiest)}"
          height="${at((STRIP * point.delivered) / busiest)}"
          ><title>
            ${dayOf(point.day)}: ${count(point.delivered, "pull request")}
            delivered
          </title></rect
        >`,
    )}
    <line
      class="floor"
      x1="${LEFT}"
      x2="${width - RIGHT}"
      y1="${floor}"
      y2="${floor}"
    />
    <path class="band" d="${band(series) ?? ""}" />
    ${
      budget === undefined
        ? undefined
        : html`<line
            class="budget"
            x1="${LEFT}"
            x2="${width - RIGHT}"
            y1="${at(y(budget))}"
            y2="${at(y(budget))}"
          />`
    }
    ${rowsOf(markers, placeOf).map(
      ({ number, x: place, row }) =>
        html`<line
            class="marker"
            x1="${at(place)}"
            x2="${at(place)}"
            y1="${row * MARKER + MARKER}"
            y2="${floor}"
          /><circle
            class="marker-head"
            cx="${at(place)}"
            cy="${row * MARKER + MARKER / 2 + 1}"
            r="8"
          /><text
            class="marker-number middle"
            x="${at(place)}"
            y="${row * MARKER + MARKER / 2 + 5}"
            >${number}</text
          >`,
    )}
    ${
      budget === undefined
        ? undefined
        : html`<text
            class="budget-label"
            x="${LEFT + 6}"
            y="${at(y(budget) - 6)}"
            >budget ${showLeadTime(budget)}</text
          >`
    }
    ${series.map(({ day, dayP90 }) =>
      dayP90 === null
        ? undefined
        : html`<circle
            class="daily"
            cx="${at(placeOf({ day }))}"
            cy="${at(y(dayP90))}"
            r="2.5"
            ><title>
              ${dayOf(day)} alone: P90 ${showLeadTime(dayP90)}
            </title></circle
          >`,
    )}
    <path class="line" d="${trend(series) ?? ""}" />
    ${known.map(
      (point) =>
        html`<circle
          class="dot"
          cx="${at(placeOf(point))}"
          cy="${at(y(point.p90))}"
          r="${point === last ? 4.5 : 7}"
          ${point === last ? html` data-last="true"` : undefined}
          ><title>
            ${dayOf(point.day)}: P90
            ${showBound({ ms: point.p90, atLeast: point.atLeast })}${point.interval ? `, 95 % interval ${showInterval(point.interval)}` : undefined},
            n = ${point.n}
          </title></circle
        >`,
    )}
    ${
      last &&
      html`<text
        class="last end"
        x="${width - RIGHT}"
        y="${at(Math.max(TOP + 12, y(label) - 14))}"
        >${showBound({ ms: last.p90, atLeast: last.atLeast })}</text
      >`
    }
  </svg>`;
}

/** Returns the last day, and days before it at equal steps. The steps are whole weeks in long series. */
function labelled(
  series: readonly SeriesPoint[],
  most: number,
): readonly SeriesPoint[] {
  const step =
    [1, 2, 7, 14, 28, 56].find((each) => series.length / each <= most) ?? 112;
  return series.filter((_, index) => (series.length - 1 - index) % step === 0);
}

type Known = SeriesPoint & { readonly p90: number };

function isKnown(point: SeriesPoint): point is Known {
  return point.p90 !== null;
}

/** Distributes the heads of markers over rows, so that they don't cover one another. */
function rowsOf(
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

/** Rounds to tenths of a pixel, which are precise enough. */
function at(place: number): number {
  return Math.round(place * 10) / 10;
}
