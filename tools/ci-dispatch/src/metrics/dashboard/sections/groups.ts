import type {
  DeliveryReport,
  Distribution,
  Group,
} from "@skein/delivery-metrics";
import { count, formatNumber } from "@skein/reporting";
import { html, type Content, type Html } from "../html.js";
import { table } from "../table.js";
import { columnOf, type Column } from "../units.js";

/** The number of rows that are visible at first. One click shows the others. */
const FIRST = 15;
/** The maximum number of rows: a page with more is too long. The report has all of them. */
const MOST = 500;

/** Renders the headline of each package and owner. */
export function groups(report: DeliveryReport): Html {
  return html`${section("packages", "Packages", "Package", report.packages, report.minimum)}
  ${section("owners", "Owners", "Owner", report.owners, report.minimum)}`;
}

function section(
  id: string,
  heading: string,
  what: string,
  all: readonly Group[],
  minimum: number,
): Html | undefined {
  if (all.length === 0) return undefined;
  const column = columnOf(
    all.flatMap(({ headline: { values } }) =>
      values ? [values.p50.ms, values.p90.ms] : [],
    ),
  );
  // Columns without a number would be noise.
  const isKnown = all.some(({ headline }) => headline.values);
  const [first, rest] = [all.slice(0, FIRST), all.slice(FIRST, MOST)];
  const tableOf = (groups: readonly Group[], caption: string) =>
    table(
      [
        [what],
        ["n", "right"],
        ...(isKnown
          ? ([
              [column.head("P50"), "right wide"],
              [column.head("P90"), "right"],
            ] as const)
          : []),
      ],
      groups.map(({ name, headline }) => [
        name,
        formatNumber(headline.n),
        ...(isKnown ? percentiles(headline, minimum, column) : []),
      ]),
      { caption, classes: "fixed" },
    );
  return html`<section aria-labelledby="${id}">
    <h2 id="${id}">${heading}</h2>
    ${tableOf(first, isKnown ? "Headline of the pull requests that change each; most pull requests first" : `The number of pull requests that change each; a P90 needs at least ${minimum}`)}
    ${
      rest.length > 0
        ? html`<details>
            <summary>${formatNumber(rest.length)} more</summary>
            ${tableOf(rest, "The others, most pull requests first")}
          </details>`
        : undefined
    }
    ${all.length > MOST ? html`<p class="quiet">${count(all.length - MOST, "other is", "others are")} in the report.</p>` : undefined}
  </section>`;
}

function percentiles(
  { values }: Distribution,
  minimum: number,
  { show }: Column,
): readonly Content[] {
  if (!values)
    return ["–", html`<span class="quiet">fewer than ${minimum}</span>`];
  const interval = values.p90Interval;
  const between =
    interval &&
    (interval.high === null
      ? `${show(interval.low)} or more`
      : `${show(interval.low)} to ${show(interval.high)}`);
  return [
    show(values.p50.ms, values.p50.atLeast),
    html`<b>${show(values.p90.ms, values.p90.atLeast)}</b
      ><small>${between}</small>`,
  ];
}
