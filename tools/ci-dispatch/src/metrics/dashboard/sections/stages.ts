import { isHuman, STAGES } from "@skein/delivery-metrics";
import type {
  DeliveryReport,
  Distribution,
  Percentile,
  Stage,
} from "@skein/delivery-metrics";
import { formatNumber } from "@skein/reporting";
import type { Dashboard } from "../dashboard.js";
import { html, type Content, type Html } from "../html.js";
import type { Links } from "../links.js";
import { table } from "../table.js";
import { columnOf, type Column } from "../units.js";
import { stageName } from "../words.js";

/**
 * Renders how much time each stage takes. The text below names stages without any time. Without percentiles there is no
 * section: the headline explains why.
 */
export function stages({ report }: Dashboard, links: Links): Html | undefined {
  const passed = STAGES.filter((stage) => !isIdle(report, stage));
  const idle = STAGES.filter((stage) => isIdle(report, stage));
  const machines = passed.filter((stage) => !isHuman(stage));
  const people = passed.filter(isHuman);
  if (!passed.some((stage) => report.stages[stage].values)) return undefined;
  const spans = passed.map((stage) => report.stages[stage].values?.p90.ms ?? 0);
  const scale = { most: Math.max(1, ...spans), column: columnOf(spans) };
  return html`<section aria-labelledby="stages">
    <h2 id="stages">Where the time goes</h2>
    <p>
      Every moment of a pull request is in exactly one stage. The percentiles of
      each stage come from different pull requests, so they do not add up to the
      number above.
    </p>
    <ul class="legend">
      <li><span class="key strong"></span>to P50</li>
      <li><span class="key light"></span>to P90</li>
      <li>all bars have the same scale</li>
    </ul>
    ${tableOf(report, links, scale, "Machines: in the headline", machines)}
    ${tableOf(report, links, scale, "People: not in the headline", people)}
    ${
      idle.length > 0
        ? html`<p class="quiet">
            No pull request spent time in:
            ${idle.map((stage) => stageName(stage).toLowerCase()).join(", ")}.
          </p>`
        : undefined
    }
  </section>`;
}

function isIdle({ stages }: DeliveryReport, stage: Stage): boolean {
  const { n, values } = stages[stage];
  return n === 0 || values?.p95.ms === 0;
}

/** The scale that all rows of the section share, so that their bars and numbers are comparable. */
interface Scale {
  /** The milliseconds that fill the whole width of a bar. */
  readonly most: number;
  readonly column: Column;
}

function tableOf(
  report: DeliveryReport,
  links: Links,
  scale: Scale,
  caption: string,
  rows: readonly Stage[],
): Html | undefined {
  if (rows.length === 0) return undefined;
  const { head } = scale.column;
  return table(
    [
      ["Stage"],
      [head("P50"), "right"],
      [head("P75"), "right wide"],
      [head("P90"), "right"],
      [head("P95"), "right wide"],
      ["n", "right wide"],
    ],
    rows.map((stage) => row(stage, report.stages[stage], scale, links)),
    { caption, classes: "fixed" },
  );
}

function row(
  stage: Stage,
  { n, values }: Distribution,
  { most, column }: Scale,
  links: Links,
): readonly Content[] {
  if (!values) return [stageName(stage), "–", "–", "–", "–", formatNumber(n)];
  const { p50, p75, p90, p95 } = values;
  const show = ({ ms, atLeast }: Percentile) => column.show(ms, atLeast);
  return [
    [stageName(stage), bar(p50.ms, p90.ms, most)],
    show(p50),
    show(p75),
    html`<b>${show(p90)}</b><small>${links.pull(p90.pull)}</small>`,
    show(p95),
    formatNumber(n),
  ];
}

/** Draws the percentiles as a bar. It is hidden from screen readers, because the numbers are next to it. */
function bar(p50: number, p90: number, most: number): Html {
  const part = (ms: number) => Math.round((ms / most) * 1000) / 10;
  return html`<svg
    class="bar"
    viewBox="0 0 100 10"
    preserveAspectRatio="none"
    aria-hidden="true"
  >
    <rect class="light" width="${part(p90)}" height="10" />
    <rect class="strong" width="${part(p50)}" height="10" />
  </svg>`;
}
