import type {
  Annotation,
  DeliveryReport,
  SeriesPoint,
} from "@skein/delivery-metrics";
import { count } from "@skein/reporting";
import { groupBy } from "@skein/reporting/group-by";
import { trendChart } from "../charts/trend-chart.js";
import type { Marker } from "../charts/trend-layout.js";
import type { Dashboard } from "../dashboard.js";
import { html, type Html } from "../html.js";
import { table } from "../table.js";
import { columnOf } from "../units.js";
import { ANNOTATION, dayOf } from "../words.js";
import { showBound } from "../../render/words.js";
import { tooFew } from "./headline.js";

const SIZES = [
  { name: "wide", width: 1000, height: 380 },
  { name: "narrow", width: 358, height: 330 },
] as const;
/** The maximum number of markers. The newest ones explain the end of the line. */
const MOST_MARKERS = 20;

/** Renders how the headline changed from day to day, with the annotations of each day. */
export function trend({ report, budget }: Dashboard): Html {
  const { series, window } = report;
  const known = series.filter(({ p90 }) => p90 !== null);
  const days = markedDays(report.annotations);
  return html`<section aria-labelledby="trend-title">
    <h2 id="trend-title">Trailing P90 by day</h2>
    <p id="trend-text">
      The line shows the P90 of the ${count(window.days, "day")} up to each day,
      and the band its 95 % confidence interval. Dots are the P90 of a single
      day, and bars the pull requests delivered that day. ${inWords(report)}
    </p>
    ${
      known.length === 0
        ? html`<p class="empty">${tooFew(report)}</p>`
        : SIZES.map((size) =>
            trendChart(
              series,
              days.map(({ marker }) => marker),
              budget,
              size,
            ),
          )
    }
    ${
      days.length > 0 && known.length > 0
        ? html`<ol class="markers">
            ${days.map(({ marker, what }) => html`<li value="${marker.number}"><b>${dayOf(marker.day)}</b> ${what.map((each, index) => html`${index > 0 ? "; " : undefined}<span class="kind">${ANNOTATION[each.what]}</span> ${each.text}`)}</li>`)}
          </ol>`
        : undefined
    }
    ${known.length > 0 ? numbers(report) : undefined}
  </section>`;
}

/** Describes the chart for readers who can't see it. */
function inWords({ series }: DeliveryReport): string {
  const known = series.filter(({ p90 }) => p90 !== null);
  const [first, last] = [known[0], known.at(-1)];
  if (!first || !last || first === last) return "";
  const words = ({ p90, atLeast }: SeriesPoint) =>
    showBound({ ms: p90 ?? 0, atLeast });
  return `The P90 went from ${words(first)} on ${dayOf(first.day)} to ${words(last)} on ${dayOf(last.day)}.`;
}

function numbers({ series }: DeliveryReport): Html {
  const { head, show } = columnOf(series.map(({ p90 }) => p90));
  return html`<details>
    <summary>The numbers by day</summary>
    ${table(
      [
        ["Day"],
        [head("P90"), "right"],
        [head("95 % confidence interval"), "right"],
        ["n", "right"],
        [head("That day’s alone"), "right wide"],
      ],
      series
        .toReversed()
        .map(({ day, p90, atLeast, interval, n, dayP90 }) => [
          dayOf(day),
          p90 === null ? "–" : show(p90, atLeast),
          interval
            ? `${show(interval.low)} to ${interval.high === null ? "…" : show(interval.high)}`
            : "–",
          n,
          dayP90 === null ? "–" : show(dayP90),
        ]),
      { caption: "Trailing P90 at the end of each day (UTC)" },
    )}
  </details>`;
}

interface MarkedDay {
  readonly marker: Marker;
  readonly what: readonly Annotation[];
}

function markedDays(annotations: readonly Annotation[]): readonly MarkedDay[] {
  const days = groupBy(
    annotations.toSorted((a, b) => (a.at < b.at ? -1 : 1)),
    ({ at }) => at.slice(0, 10),
  );
  return [...days].slice(-MOST_MARKERS).map(([day, what], index) => ({
    marker: { number: index + 1, day },
    what,
  }));
}
