import type {
  Change,
  ComparedP90,
  DeliveryReport,
} from "@skein/delivery-metrics";
import { UNTIL_WORDS } from "../../render/words.js";
import { changeCell } from "../change.js";
import { html, type Content, type Html } from "../html.js";
import { table } from "../table.js";
import { columnOf, type Column } from "../units.js";
import { dateOf, lastDayOf, MEASURE, stageName } from "../words.js";

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
        nameOf(change.of),
        p90(change.before, column),
        p90(change.after, column),
        changeCell(change),
      ]),
      {
        classes: "fixed compared",
        caption: `P90 before (${dateOf(window.from)} to ${lastDayOf(window.to)}) and now, ${UNTIL_WORDS[until]}`,
      },
    )}
  </section>`;
}

function nameOf(of: Change["of"]): string {
  return isMeasure(of) ? MEASURE[of] : stageName(of);
}

function isMeasure(of: Change["of"]): of is keyof typeof MEASURE {
  return of in MEASURE;
}

function p90({ n, ms, atLeast }: ComparedP90, column: Column): Content {
  return ms === null
    ? html`<span class="quiet">–</span><small>n = ${n}</small>`
    : column.show(ms, atLeast);
}
