import type { DeliveryReport } from "@skein/delivery-metrics";
import { count } from "@skein/reporting";
import { html } from "../html.js";
import type { Content, Html } from "../html.js";
import type { Links } from "../links.js";
import {
  EXCLUSION_WORDS,
  UNFINISHED_WORDS,
  unreadWords,
} from "../../render/words.js";
import { whole } from "../words.js";

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
          ${whole(times)} ${UNFINISHED_WORDS[reason]}: each counts as at least
          its time so far. The newest:
          ${listed(pulls.slice(0, 5).map(links.pull))}.
        </p>`,
    )}
    ${
      excluded.length === 0
        ? of.seen > 0
          ? html`<p class="empty">None are excluded.</p>`
          : undefined
        : html`<table>
            <caption>
              Left out, and why
            </caption>
            <thead>
              <tr>
                <th scope="col">Why</th>
                <th scope="col" class="right">How many</th>
                <th scope="col">The newest</th>
              </tr>
            </thead>
            <tbody>
              ${excluded.map(
                ({ reason, count: times, pulls }) =>
                  html`<tr>
                    <th scope="row">${EXCLUSION_WORDS[reason]}</th>
                    <td class="right">${whole(times)}</td>
                    <td class="pulls">
                      ${listed(pulls.slice(0, 5).map(links.pull))}
                    </td>
                  </tr> `,
              )}
            </tbody>
          </table>`
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
    `${count(seen, "pull request")} ended in this time, or were merged in it and have not ended: ${whole(measured)} are in gross, ${whole(withBuilds)} in the headline.`,
    push > 0 ? `${whole(push)} begin with their first push.` : "",
    opened > 0
      ? `${whole(opened)} begin with their opening, because no earlier push is known.`
      : "",
    reverted > 0 ? `${whole(reverted)} were reverted later.` : "",
    skewedSpans > 0
      ? `${count(skewedSpans, "span")} ended before they began, because clocks differ; they are not counted.`
      : "",
  ].filter((sentence) => sentence !== "");
}

function listed(all: readonly Html[]): readonly Content[] {
  return all.flatMap((each, index) => (index === 0 ? [each] : [", ", each]));
}
