import type { DeliveryReport } from "@skein/delivery-metrics";
import { count, formatNumber } from "@skein/reporting";
import { html, type Content, type Html } from "../html.js";
import type { Links } from "../links.js";
import { table } from "../table.js";
import {
  EXCLUSION_WORDS,
  UNFINISHED_WORDS,
  unreadWords,
} from "../../render/words.js";

/** Renders which pull requests the numbers include, and which they exclude. */
export function coverage({ coverage: of }: DeliveryReport, links: Links): Html {
  const { excluded } = of;
  return html`<section aria-labelledby="coverage">
    <h2 id="coverage">Coverage</h2>
    ${unreadWords(of.unread).map((words) => html`<p class="bad">${words}</p>`)}
    <p>${sentences(of).join(" ")}</p>
    ${of.unfinished.map(
      ({ reason, count: times, pulls }) =>
        html`<p>
          ${formatNumber(times)} ${UNFINISHED_WORDS[reason]}: each counts as at
          least its time so far. The newest:
          ${listed(pulls.slice(0, 5).map(links.pull))}.
        </p>`,
    )}
    ${
      excluded.length === 0
        ? of.seen > 0
          ? html`<p class="empty">No pull request is excluded.</p>`
          : undefined
        : table(
            [["Why"], ["How many", "right"], ["The newest"]],
            excluded.map(({ reason, count: times, pulls }) => [
              EXCLUSION_WORDS[reason],
              formatNumber(times),
              listed(pulls.slice(0, 5).map(links.pull)),
            ]),
            { caption: "Excluded pull requests" },
          )
    }
  </section>`;
}

/** Returns the sentences about coverage. It skips those whose number is 0. */
function sentences({
  seen,
  measured,
  withBuilds,
  beginsWith: { push, opened },
  reverted,
  skewedSpans,
}: DeliveryReport["coverage"]): readonly string[] {
  return [
    `${count(seen, "pull request")} ended in this period, or were merged in it and have not ended. Of these, ${formatNumber(measured)} count towards gross, and ${formatNumber(withBuilds)} towards the headline.`,
    push > 0 ? `For ${formatNumber(push)}, the start is the first push.` : "",
    opened > 0
      ? `For ${formatNumber(opened)}, the start is the opening, because no earlier push is known.`
      : "",
    reverted > 0 ? `${formatNumber(reverted)} were reverted later.` : "",
    skewedSpans > 0
      ? `${count(skewedSpans, "span")} ended before they began, because clocks differ; they are not counted.`
      : "",
  ].filter((sentence) => sentence !== "");
}

function listed(all: readonly Html[]): readonly Content[] {
  return all.flatMap((each, index) => (index === 0 ? [each] : [", ", each]));
}
