import { showLeadTime } from "@skein/delivery-metrics";
import type {
  DeliveryReport,
  Distribution,
  Dora,
  Rate,
  Until,
} from "@skein/delivery-metrics";
import { count, formatNumber } from "@skein/reporting";
import { judgeBudget } from "../../budget.js";
import { END_WORDS } from "../../sides.js";
import { changeLine } from "../change.js";
import type { Dashboard } from "../dashboard.js";
import { html, type Html } from "../html.js";
import type { Links } from "../links.js";
import { capital, dateOf, lastDayOf, MEASURE, UNTIL } from "../words.js";
import { perDay } from "../../render/dora-words.js";
import {
  percent,
  scopeWords,
  showBound,
  showInterval,
} from "../../render/words.js";

/** Renders the headline's number with its details, or the reason why it is unknown. */
export function headline({ report, budget }: Dashboard, links: Links): Html {
  const { n, values } = report.measures.headline;
  return html`<section class="hero" aria-labelledby="headline">
    <div>
      <h2 id="headline">
        ${UNTIL[report.until]}, P90 of
        ${report.window.days % 7 === 0 ? count(report.window.days / 7, "week") : count(report.window.days, "day")}
      </h2>
      ${
        values
          ? html`<p class="number">${spaced(showBound(values.p90))}</p>
              <p class="under">
                ${
                  values.p90.atLeast
                    ? `More than one in ten changes takes longer ${WAY[report.until]}: ${formatNumber(report.measures.headline.unfinished)} of ${formatNumber(n)} are still on their way, so no exact number is known.`
                    : `Nine out of ten changes take no longer ${WAY[report.until]}.`
                }
                Waiting for people is not counted.
              </p>
              ${trendLine(report)} ${budgetLine(report, budget)}`
          : html`<p class="number none">not known yet</p>
              <p class="under">${tooFew(report)}</p>
              ${budgetLine(report, budget)}`
      }
    </div>
    <dl class="facts">
      ${
        values &&
        html`<div>
            <dt>95 % confidence interval</dt>
            <dd>
              ${values.p90Interval ? showInterval(values.p90Interval) : "not known"}
            </dd>
          </div>
          <div>
            <dt>P90 pull request</dt>
            <dd>${links.pull(values.p90.pull)}</dd>
          </div>`
      }
      <div>
        <dt>Pull requests</dt>
        <dd>
          ${formatNumber(n)} of ${formatNumber(report.coverage.seen)}
          ${
            n < report.coverage.seen
              ? html`<a href="#coverage">(which are not, and why)</a>`
              : undefined
          }
        </dd>
      </div>
      <div>
        <dt>Ends with</dt>
        <dd>
          ${END_WORDS[report.until]}${report.untilAsked ? undefined : html`<small>chosen from the events; set <code>metrics.until</code> in skein.json to keep it</small>`}
        </dd>
      </div>
      <div>
        <dt>Delivered</dt>
        <dd>${dateOf(report.window.from)} to ${lastDayOf(report.window.to)}</dd>
      </div>
    </dl>
  </section>`;
}

const WAY: Readonly<Record<Until, string>> = {
  published: "from their first push until they are published",
  merged: "from their first push until they are merged",
  upgraded:
    "from their first push until the application that uses them is published",
};

/**
 * Returns the text in place of a percentile: the number of pull requests, or the newest event if the window has none.
 */
export function tooFew({
  measures: { headline },
  minimum,
  newest,
  window,
}: DeliveryReport): Html {
  if (headline.n > 0)
    return html`${count(headline.n, "pull request")}: a P90 needs at least
    ${minimum}.`;
  if (newest === null)
    return html`There are no events. <code>ci-dispatch metrics sync</code> reads
      them from GitHub.`;
  return html`No pull request with a known run ended from ${dateOf(window.from)}
    to ${lastDayOf(window.to)}. The newest event is of ${dateOf(newest)};
    <code>ci-dispatch metrics sync</code> reads newer ones.`;
}

/** Returns the change of the headline if the previous window measures to the same end. */
function trendLine({ baseline, until }: DeliveryReport): Html | undefined {
  const change = baseline?.changes.find(({ of }) => of === "headline");
  return baseline && change && baseline.until === until
    ? changeLine(change, lastDayOf(baseline.window.to))
    : undefined;
}

function budgetLine(
  report: DeliveryReport,
  budget: number | undefined,
): Html | undefined {
  if (budget === undefined) return undefined;
  const verdict = judgeBudget(report, budget);
  switch (verdict.kind) {
    case "within":
      return html`<p class="badge good">
        ✓ within the budget of ${showLeadTime(budget)}
      </p>`;
    case "above":
      return html`<p class="badge bad">
        ✗ above the budget of ${showLeadTime(budget)}
      </p>`;
    case "unknown":
      return html`<p class="badge bad">? ${verdict.words}</p>`;
  }
}

/** Renders units smaller than their numbers. */
function spaced(words: string): Html {
  return html`${words
    .split(" ")
    .map((word, index) =>
      /^[a-z%]+$/.test(word)
        ? html`<span class="unit"> ${word}</span>`
        : html`${index > 0 ? " " : undefined}${word}`,
    )}`;
}

interface Tile {
  readonly name: string;
  readonly value: string;
  readonly note: string;
}

/** Returns a tile with a rate; null if there is nothing to count. */
function rate(
  name: string,
  { count: some, of, rate }: Rate,
  what: string,
): Tile | null {
  return rate === null
    ? null
    : {
        name,
        value: percent(rate),
        note: `${formatNumber(some)} of ${formatNumber(of)} ${what}`,
      };
}

/** Returns tiles for DORA's keys except the lead time, which has its own. Reverts count as failures. */
function doraTiles(dora: Dora): readonly (Tile | null)[] {
  const { deployments, failures, recovery } = dora;
  if (deployments === 0) return [];
  const { values, n } = recovery;
  return [
    {
      name: "Deployments a day",
      value: perDay(dora),
      note: count(deployments, "deployment"),
    },
    rate("Reverted after publication", failures, "pull requests"),
    values && {
      name: "Recovery by a revert",
      value: showBound(values.p50),
      note: `P50, n = ${formatNumber(n)}`,
    },
  ];
}

/** Renders further key numbers. Numbers without data have no tile. */
export function tiles(report: DeliveryReport): Html | undefined {
  const { measures, builds, flakes, infrastructure, dora, reuse } = report;
  const { machineMs: saved, plans } = report.savings;
  const p90 = (name: string, { n, values }: Distribution) =>
    values && {
      name,
      value: showBound(values.p90),
      note: `P90, n = ${formatNumber(n)}`,
    };
  const offered: readonly (Tile | null)[] = [
    p90(MEASURE.gross, measures.gross),
    p90(MEASURE.machine, measures.machine),
    p90(MEASURE.builds, builds),
    ...(dora ? doraTiles(dora) : []),
    rate("Flaky runs", flakes.runs, "runs"),
    rate(
      "Infrastructure failures",
      infrastructure.attempts,
      "attempts of runs",
    ),
    rate("Flaky scripts", flakes.units, "scripts"),
    rate("Scripts: infrastructure failures", infrastructure.units, "scripts"),
    saved.everything > 0
      ? {
          name: "Saved by selection",
          value: percent(saved.saved / saved.everything),
          note: `${showLeadTime(saved.saved)} of machines, ${count(plans, "plan")}`,
        }
      : null,
    reuse.units > 0
      ? {
          name: "Reused scripts",
          value: formatNumber(reuse.units),
          note: `${showLeadTime(reuse.machineMs)} of machines, ${count(reuse.runs, "run")}`,
        }
      : null,
    rate("Reused in later pushes", reuse.laterPushes, "scripts"),
    rate("False hits", reuse.falseHits, "checked scripts"),
    rate("Wrong evidence", reuse.wrongEvidence, "checked scripts"),
  ];
  const all = offered.flatMap((tile) => tile ?? []);
  if (all.length === 0) return undefined;
  return html`<section aria-labelledby="beside">
    <h2 id="beside" class="hidden">Further key numbers</h2>
    <dl class="tiles">
      ${all.map(
        ({ name, value, note }) =>
          html`<div>
            <dt>${name}</dt>
            <dd><b>${spaced(value)}</b><small>${note}</small></dd>
          </div> `,
      )}
    </dl>
    ${scopeWords(report).map((words) => html`<p>${capital(words)}.</p>`)}
  </section>`;
}
