import { showLeadTime } from "@skein/delivery-metrics";
import type { DeliveryReport, Until } from "@skein/delivery-metrics";
import { count } from "@skein/reporting";
import { judgeBudget } from "../../budget.js";
import { END_WORDS } from "../../sides.js";
import type { Dashboard } from "../dashboard.js";
import { html } from "../html.js";
import type { Html } from "../html.js";
import type { Links } from "../links.js";
import { dateOf, UNTIL, whole } from "../words.js";
import { percent, showBound, showInterval } from "../../render/words.js";

/** The one number, large, with what stands behind it; or, where too few pull requests are known, that it is not known. */
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
                    ? `More than one of ten changes takes longer ${WAY[report.until]}: ${whole(report.measures.headline.unfinished)} of ${whole(n)} are still on their way, so more cannot be known.`
                    : `Nine of ten changes take no longer ${WAY[report.until]}.`
                }
                Waiting for people is not counted.
              </p>
              ${budgetLine(report, budget)}`
          : html`<p class="number none">not known yet</p>
              <p class="under">${tooFew(n, report.minimum)}</p>`
      }
    </div>
    <dl class="facts">
      ${
        values &&
        html`<div>
            <dt>95 % interval</dt>
            <dd>
              ${values.p90Interval ? showInterval(values.p90Interval) : "not known"}
            </dd>
          </div>
          <div>
            <dt>The pull request at the P90</dt>
            <dd>${links.pull(values.p90.pull)}</dd>
          </div>`
      }
      <div>
        <dt>Pull requests</dt>
        <dd>
          ${whole(n)} of ${whole(report.coverage.seen)}
          <a href="#coverage">(which not, and why)</a>
        </dd>
      </div>
      <div>
        <dt>Ends with</dt>
        <dd>
          ${END_WORDS[report.until]}${report.untilAsked ? undefined : html`<small>the farthest end that is known; <code>metrics.until</code> in skein.json keeps it</small>`}
        </dd>
      </div>
      <div>
        <dt>Delivered</dt>
        <dd>${dateOf(report.window.from)} to ${dateOf(report.window.to)}</dd>
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

/** What stands where a percentile would be. */
export function tooFew(n: number, minimum: number): string {
  return n === 0
    ? "No pull request is known to have come to its end in this time with its runs."
    : `${count(n, "pull request")}: a P90 says something from ${minimum} on.`;
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

/** Units are smaller than their numbers. */
function spaced(duration: string): Html {
  const words = duration.split(" ");
  return html`${words.map((word, index) =>
    index % 2 === 0
      ? html`${index > 0 ? " " : undefined}${word}`
      : html`<span class="unit"> ${word}</span>`,
  )}`;
}

/** The other numbers that a reader asks for. */
export function tiles({
  measures,
  builds,
  flakes,
  infrastructure,
  savings,
  minimum,
}: DeliveryReport): Html {
  const p90 = ({ n, values }: typeof builds) =>
    values
      ? { value: showBound(values.p90), note: `P90, n = ${whole(n)}` }
      : { value: "–", note: `${whole(n)} of at least ${minimum}` };
  const rate = ({ count, of, rate }: typeof flakes.runs, what: string) =>
    rate === null
      ? { value: "–", note: `no ${what} are known` }
      : {
          value: percent(rate),
          note: `${whole(count)} of ${whole(of)} ${what}`,
        };
  const saved = savings.machineMs;
  const all = [
    { name: "Gross, with people", ...p90(measures.gross) },
    { name: "Machines alone", ...p90(measures.machine) },
    { name: "Pull request build", ...p90(builds) },
    { name: "Flaky runs", ...rate(flakes.runs, "runs") },
    {
      name: "Failed by a machine",
      ...rate(infrastructure.attempts, "attempts of runs"),
    },
    { name: "Flaky scripts", ...rate(flakes.units, "scripts") },
    {
      name: "Scripts failed by a machine",
      ...rate(infrastructure.units, "scripts"),
    },
    {
      name: "Saved by selection",
      value:
        saved.everything === 0 ? "–" : percent(saved.saved / saved.everything),
      note:
        saved.everything === 0
          ? "no plan is known"
          : `${showLeadTime(saved.saved)} of machines, ${count(savings.plans, "plan")}`,
    },
  ];
  return html`<section aria-labelledby="beside">
    <h2 id="beside" class="hidden">Beside it</h2>
    <dl class="tiles">
      ${all.map(
        ({ name, value, note }) =>
          html`<div>
            <dt>${name}</dt>
            <dd><b>${spaced(value)}</b><small>${note}</small></dd>
          </div> `,
      )}
    </dl>
  </section>`;
}
