import { STAGES, showLeadTime } from "@skein/delivery-metrics";
import type { MeasuredPull, Stage } from "@skein/delivery-metrics";
import { cutTo } from "@skein/reporting";
import { at } from "../charts/time-scale.js";
import type { Dashboard } from "../dashboard.js";
import { html, type Html } from "../html.js";
import type { Links } from "../links.js";
import { table } from "../table.js";
import { columnOf } from "../units.js";
import { dayOf, stageName } from "../words.js";

const LONGEST_TITLE = 120;

/** Renders the pull requests that are worth a look, each with its stages from the first push to its end. */
export function slowest({ report }: Dashboard, links: Links): Html | undefined {
  const pulls = report.slowest;
  if (pulls.length === 0) return undefined;
  const spent = STAGES.filter((stage) =>
    pulls.some((pull) => pull.stages[stage] > 0),
  );
  const longest = Math.max(...pulls.map(({ gross }) => gross));
  const column = columnOf(
    pulls.flatMap(({ headline, gross }) => [headline, gross]),
  );
  return html`<section aria-labelledby="slowest">
    <h2 id="slowest">Slowest pull requests</h2>
    <ul class="legend">
      ${spent.map((stage) => html`<li><span class="key s-${stage}"></span>${stageName(stage)}</li>`)}
    </ul>
    ${table(
      [
        ["Pull request"],
        [column.head("Headline"), "right"],
        [column.head("Gross"), "right"],
      ],
      pulls.map(
        (pull) =>
          html`<tr>
              <td>
                ${links.pull(pull)}
                ${cutTo(pull.title ?? "", LONGEST_TITLE)}<small
                  >${pull.author},
                  ${pull.unfinished ? "not ended yet" : `ended ${dayOf(pull.ended)}`}</small
                >
              </td>
              <td class="right">
                <b
                  >${pull.headline === null ? "–" : column.show(pull.headline, pull.unfinished)}</b
                >
              </td>
              <td class="right">${column.show(pull.gross, pull.unfinished)}</td>
            </tr>
            <tr class="way">
              <td colspan="3">${way(pull, longest)}</td>
            </tr> `,
      ),
      {
        caption:
          "Longest headline first. Each bar shows a pull request from its first push to its end; all bars have the same scale",
        classes: "slow",
      },
    )}
  </section>`;
}

/**
 * Draws the stages of a pull request as a bar.
 * @param longest the milliseconds that fill the whole width
 */
function way({ stages }: MeasuredPull, longest: number): Html {
  const spent = STAGES.filter((stage) => stages[stage] > 0);
  const words = spent
    .map((stage) => `${stageName(stage)} ${showLeadTime(stages[stage])}`)
    .join(", ");
  let from = 0;
  const rects = spent.map((stage: Stage) => {
    const width = (stages[stage] / Math.max(1, longest)) * 1000;
    const rect = html`<rect
      class="s-${stage}"
      x="${at(from)}"
      width="${at(width)}"
      height="10"
      ><title>${stageName(stage)}: ${showLeadTime(stages[stage])}</title></rect
    >`;
    from += width;
    return rect;
  });
  return html`<svg
    class="bar"
    viewBox="0 0 1000 10"
    preserveAspectRatio="none"
    role="img"
    aria-label="${words}"
  >
    ${rects}
  </svg>`;
}
