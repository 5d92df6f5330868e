import type { DeliveryReport } from "@skein/delivery-metrics";
import { fieldWords } from "../../render/words.js";
import { html, type Html } from "../html.js";
import { table } from "../table.js";

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
    ${table(
      [["Script"], ["Fields that were the same"]],
      falseHitFields.map(({ unit, fields }) => [unit, fieldWords(fields)]),
    )}
  </section>`;
}
