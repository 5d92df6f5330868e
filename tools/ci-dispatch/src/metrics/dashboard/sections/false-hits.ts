import type { DeliveryReport } from "@skein/delivery-metrics";
import { fieldWords } from "../../render/words.js";
import { html } from "../html.js";
import type { Html } from "../html.js";

/** Renders the fingerprints under which scripts passed and failed. Returns undefined if there are none. */
export function falseHits({
  reuse: { falseHitFields },
}: DeliveryReport): Html | undefined {
  if (falseHitFields.length === 0) return undefined;
  return html`<section aria-labelledby="false-hits">
    <h2 id="false-hits">False hits</h2>
    <p>
      These scripts failed under the fingerprint under which they had passed.
      Their results depend on something that none of the fields contains.
    </p>
    <table>
      <thead>
        <tr>
          <th scope="col">Script</th>
          <th scope="col">Fields that were the same</th>
        </tr>
      </thead>
      <tbody>
        ${falseHitFields.map(
          ({ unit, fields }) =>
            html`<tr>
              <th scope="row">${unit}</th>
              <td>${fieldWords(fields)}</td>
            </tr> `,
        )}
      </tbody>
    </table>
  </section>`;
}
