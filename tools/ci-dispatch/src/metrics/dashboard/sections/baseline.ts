import type { ComparedP90, DeliveryReport } from "@skein/delivery-metrics";
import { COMPARED_WORDS, UNTIL_WORDS } from "../../render/words.js";
import { changeCell } from "../change.js";
import { html } from "../html.js";
import type { Html } from "../html.js";
import { table } from "../table.js";
import { columnOf } from "../units.js";
import type { Column } from "../units.js";
import { capital, dateOf } from "../words.js";

/** Renders an earlier window next to the current one. */
export function baseline({ baseline: of }: DeliveryReport): Html | undefined {
  if (!of) return undefined;
  const { window, until, changes } = of;
  const column = columnOf(
    changes.flatMap(({ before, after }) => [before.ms, after.ms]),
  );
  return html`<section aria-labelledby="baseline">
    <h2 id="baseline">Before and after</h2>
    ${table(
      [
        ["Measure"],
        [column.head("Before"), "right"],
        [column.head("After"), "right"],
        ["Change", "right"],
      ],
      changes.map((change) => [
        capital(COMPARED_WORDS[change.of]),
        p90(change.before, column),
        p90(change.after, column),
        changeCell(change),
      ]),
      {
        caption: `P90 before (${dateOf(window.from)} to ${dateOf(window.to)}) and now, ${UNTIL_WORDS[until]}`,
      },
    )}
  </section>`;
}

function p90({ n, ms, atLeast }: ComparedP90, column: Column): string {
  return ms === null ? `too few (${n})` : column.show(ms, atLeast);
}
