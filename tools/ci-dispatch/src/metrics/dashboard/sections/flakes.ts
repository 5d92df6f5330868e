import type { DeliveryReport } from "@skein/delivery-metrics";
import { formatNumber } from "@skein/reporting";
import { html, type Html } from "../html.js";
import { table } from "../table.js";
import { flakedOf, percent } from "../../render/words.js";

/**
 * Renders the runs and scripts that failed and then passed on the same commit. Returns undefined if no run is known.
 */
export function flakes({
  flakes: { worst, runs, units },
}: DeliveryReport): Html | undefined {
  const rate = ({ count, of, rate }: typeof runs, what: string) =>
    rate === null
      ? undefined
      : `${formatNumber(count)} of ${formatNumber(of)} ${what} (${percent(rate)})`;
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
        : table(
            [
              ["Name"],
              ["Kind"],
              ["Flakes", "right"],
              ["Of", "right"],
              ["Rate", "right"],
            ],
            worst.map((each) => [
              each.name,
              each.kind,
              formatNumber(each.flakes),
              flakedOf(each),
              percent(each.rate),
            ]),
            { caption: "Most frequent first" },
          )
    }
  </section>`;
}
