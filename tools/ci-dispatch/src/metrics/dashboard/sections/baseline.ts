import type { ComparedP90, DeliveryReport } from "@skein/delivery-metrics";
import { COMPARED_WORDS, showBound, UNTIL_WORDS } from "../../render/words.js";
import { html } from "../html.js";
import type { Html } from "../html.js";
import { capital, dateOf } from "../words.js";

/** An earlier window beside this one. */
export function baseline({ baseline: of }: DeliveryReport): Html | undefined {
  if (!of) return undefined;
  const { window, until, changes } = of;
  return html`<section aria-labelledby="baseline">
    <h2 id="baseline">Before and after</h2>
    <table>
      <caption>
        P90 from ${dateOf(window.from)} to ${dateOf(window.to)}, and now; both
        ${UNTIL_WORDS[until]}
      </caption>
      <thead>
        <tr>
          <th scope="col">Of</th>
          <th scope="col" class="right">Before</th>
          <th scope="col" class="right">After</th>
          <th scope="col" class="right">Change</th>
        </tr>
      </thead>
      <tbody>
        ${changes.map(
          ({ of: what, before, after, percent, interval }) =>
            html`<tr>
              <th scope="row">${capital(COMPARED_WORDS[what])}</th>
              <td class="right">${p90(before)}</td>
              <td class="right">${p90(after)}</td>
              <td class="right">
                <b>${percent === null ? "–" : signed(percent)}</b
                >${interval ? html`<small>${signed(interval.low)} to ${signed(interval.high)}</small>` : undefined}
              </td>
            </tr> `,
        )}
      </tbody>
    </table>
  </section>`;
}

function p90({ n, ms, atLeast }: ComparedP90): string {
  return ms === null ? `too few (${n})` : showBound({ ms, atLeast });
}

/** `−94.6 %`, with a minus sign that is as wide as a plus; none where it comes to nothing. */
function signed(percent: number): string {
  const text = Math.abs(percent).toFixed(1);
  const sign = text === "0.0" ? "" : percent < 0 ? "−" : "+";
  return `${sign}${text} %`;
}
