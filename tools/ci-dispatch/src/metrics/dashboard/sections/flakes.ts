import type { DeliveryReport } from "@skein/delivery-metrics";
import { html } from "../html.js";
import type { Html } from "../html.js";
import { flakedOf, percent } from "../../render/words.js";
import { whole } from "../words.js";

/**
 * Renders the runs and scripts that failed and then passed on the same commit. Returns undefined if no run is known.
 */
export function flakes({
  flakes: { worst, runs, units },
}: DeliveryReport): Html | undefined {
  const rate = ({ count, of, rate }: typeof runs, what: string) =>
    rate === null
      ? undefined
      : `${whole(count)} of ${whole(of)} ${what} (${percent(rate)})`;
  const rates = [rate(runs, "runs"), rate(units, "scripts in verdicts")].filter(
    (each) => each !== undefined,
  );
  if (rates.length === 0) return undefined;
  return html`<section aria-labelledby="flakes">
    <h2 id="flakes">Flakes</h2>
    <p>Failed, then passed on the same commit: ${rates.join(", ")}.</p>
    ${
      worst.length === 0
        ? html`<p class="empty">Nothing flaked.</p>`
        : html`<table>
            <caption>
              Those that flaked most often
            </caption>
            <thead>
              <tr>
                <th scope="col">Name</th>
                <th scope="col">Kind</th>
                <th scope="col" class="right">Flakes</th>
                <th scope="col" class="right">Of</th>
                <th scope="col" class="right">Rate</th>
              </tr>
            </thead>
            <tbody>
              ${worst.map(
                (each) =>
                  html`<tr>
                    <th scope="row">${each.name}</th>
                    <td>${each.kind}</td>
                    <td class="right">${whole(each.flakes)}</td>
                    <td class="right">${flakedOf(each)}</td>
                    <td class="right">${percent(each.rate)}</td>
                  </tr> `,
              )}
            </tbody>
          </table>`
    }
  </section>`;
}
