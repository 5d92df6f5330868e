import { showLeadTime, type SeriesPoint } from "@skein/delivery-metrics";
import { count } from "@skein/reporting";
import { area, line } from "d3-shape";
import { html, type Html } from "../html.js";
import { dayOf } from "../words.js";
import { showBound, showInterval } from "../../render/words.js";
import { at } from "./time-scale.js";
import {
  isKnown,
  labelledDays,
  layOutTrend,
  LEFT,
  MARKER,
  RIGHT,
  rowsOf,
  STRIP,
  TOP,
} from "./trend-layout.js";
import type { Marker, TrendLayout, TrendSize } from "./trend-layout.js";

/** The width of the number at the line’s end. */
const LABEL = 90;

/**
 * Draws the trailing P90 by day as a line and its interval as a band. Dots are the P90 of single days, numbered lines
 * are annotations, and bars are deliveries.
 */
export function trendChart(
  series: readonly SeriesPoint[],
  markers: readonly Marker[],
  budget: number | undefined,
  size: TrendSize,
): Html {
  const layout = layOutTrend(series, budget, size);
  const { name, width, height } = size;
  return html`<svg
    class="chart ${name}"
    viewBox="0 0 ${width} ${height}"
    role="img"
    aria-labelledby="trend-title"
    aria-describedby="trend-text"
  >
    ${gridLines(layout)} ${dayLabels(layout)} ${deliveryBars(layout)}
    <line
      class="floor"
      x1="${LEFT}"
      x2="${width - RIGHT}"
      y1="${layout.floor}"
      y2="${layout.floor}"
    />
    <path class="band" d="${bandPath(layout)}" />
    ${budget === undefined ? undefined : budgetLine(layout, budget)}
    ${markerLines(layout, markers)}
    ${budget === undefined ? undefined : budgetLabel(layout, budget)}
    ${dailyDots(layout)}
    <path class="line" d="${linePath(layout)}" />
    ${trendDots(layout)} ${lastLabel(layout)}
  </svg>`;
}

function gridLines({ size, y }: TrendLayout): readonly Html[] {
  return y.ticks.map(
    ({ ms, label }) =>
      html`<line
          class="grid"
          x1="${LEFT}"
          x2="${size.width - RIGHT}"
          y1="${at(y(ms))}"
          y2="${at(y(ms))}"
        /><text class="axis end" x="${LEFT - 8}" y="${at(y(ms) + 4)}"
          >${label}</text
        >`,
  );
}

function dayLabels({ series, size, x }: TrendLayout): readonly Html[] {
  return labelledDays(series, (size.width - LEFT - RIGHT) / 84).map(
    (tick) =>
      html`<text class="axis middle" x="${at(x(tick))}" y="${size.height - 6}"
        >${dayOf(tick.day)}</text
      >`,
  );
}

/** Draws the number of delivered pull requests per day. The busiest day has the highest bar. */
function deliveryBars({ series, bar, x, floor }: TrendLayout): readonly Html[] {
  const busiest = Math.max(1, ...series.map(({ delivered }) => delivered));
  return series.map(
    (point) =>
      html`<rect
        class="delivered"
        x="${at(x(point) - bar / 2)}"
        width="${at(bar)}"
        y="${at(floor - (STRIP * point.delivered) / busiest)}"
        height="${at((STRIP * point.delivered) / busiest)}"
        ><title>
          ${dayOf(point.day)}: ${count(point.delivered, "pull request")}
          delivered
        </title></rect
      >`,
  );
}

/** Returns the outline of the intervals. */
function bandPath({ series, x, y }: TrendLayout): string {
  const band = area<SeriesPoint>()
    .defined(({ interval }) => interval !== null)
    .x(x)
    .y0(({ interval }) => y(interval?.low ?? 0))
    // An interval without an upper end extends to the top.
    .y1(({ interval }) =>
      interval?.high === null ? TOP : y(interval?.high ?? 0),
    );
  return band(series) ?? "";
}

/** Returns the line through the trailing P90 of each day. */
function linePath({ series, x, y }: TrendLayout): string {
  const trend = line<SeriesPoint>()
    .defined(isKnown)
    .x(x)
    .y(({ p90 }) => y(p90 ?? 0));
  return trend(series) ?? "";
}

function budgetLine({ size, y }: TrendLayout, budget: number): Html {
  return html`<line
    class="budget"
    x1="${LEFT}"
    x2="${size.width - RIGHT}"
    y1="${at(y(budget))}"
    y2="${at(y(budget))}"
  />`;
}

function budgetLabel({ y }: TrendLayout, budget: number): Html {
  return html`<text
    class="budget-label"
    x="${LEFT + 6}"
    y="${at(y(budget) - 6)}"
    >budget ${showLeadTime(budget)}</text
  >`;
}

/** Draws a numbered line for each day with annotations. */
function markerLines(
  { x, floor }: TrendLayout,
  markers: readonly Marker[],
): readonly Html[] {
  return rowsOf(markers, x).map(
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
  );
}

/** Draws the P90 of each single day. */
function dailyDots({
  series,
  x,
  y,
}: TrendLayout): readonly (Html | undefined)[] {
  return series.map(({ day, dayP90 }) =>
    dayP90 === null
      ? undefined
      : html`<circle
          class="daily"
          cx="${at(x({ day }))}"
          cy="${at(y(dayP90))}"
          r="2.5"
          ><title>
            ${dayOf(day)} alone: P90 ${showLeadTime(dayP90)}
          </title></circle
        >`,
  );
}

/** Draws the trailing P90 of each day. */
function trendDots({ known, x, y }: TrendLayout): readonly Html[] {
  const last = known.at(-1);
  return known.map(
    (point) =>
      html`<circle
        class="dot"
        cx="${at(x(point))}"
        cy="${at(y(point.p90))}"
        r="${point === last ? 4.5 : 7}"
        ${point === last ? html` data-last="true"` : undefined}
        ><title>
          ${dayOf(point.day)}: P90
          ${showBound({ ms: point.p90, atLeast: point.atLeast })}${point.interval ? `, 95 % confidence interval ${showInterval(point.interval)}` : undefined},
          n = ${point.n}
        </title></circle
      >`,
  );
}

/** Draws the number at the line’s end. It is above the line and the dots near the end. */
function lastLabel({ known, size, x, y }: TrendLayout): Html | undefined {
  const last = known.at(-1);
  if (!last) return undefined;
  const near = known.filter((point) => x(point) > size.width - RIGHT - LABEL);
  const label = Math.max(
    ...near.map(({ p90, dayP90 }) => Math.max(p90, dayP90 ?? 0)),
  );
  return html`<text
    class="last end"
    x="${size.width - RIGHT}"
    y="${at(Math.max(TOP + 12, y(label) - 14))}"
    >${showBound({ ms: last.p90, atLeast: last.atLeast })}</text
  >`;
}
