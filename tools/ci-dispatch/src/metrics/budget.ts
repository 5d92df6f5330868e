import { showLeadTime } from "@skein/delivery-metrics";
import type { DeliveryReport } from "@skein/delivery-metrics";
import { count } from "@skein/reporting";

/** Whether a budget of the headline's P90 is kept. Where nobody can tell, the words say why. */
export type BudgetVerdict =
  | { readonly kind: "within" }
  | { readonly kind: "above"; readonly words: string }
  | { readonly kind: "unknown"; readonly words: string };

/** A store without an event in this time is taken for one that is no longer synchronized: a weekend and a few holidays are shorter. */
const OLD_DAYS = 7;
const DAY_MS = 86_400_000;

/**
 * Judges the headline's P90. A green answer needs enough pull requests and a store that somebody still fills, since a report over
 * a store that nobody synchronizes would stay green for the length of its window.
 * @param budget milliseconds
 */
export function judgeBudget(
  {
    measures: { headline },
    newest,
    window,
  }: Pick<DeliveryReport, "measures" | "newest" | "window">,
  budget: number,
): BudgetVerdict {
  const unknown = (why: string): BudgetVerdict => ({
    kind: "unknown",
    words: `the budget of ${showLeadTime(budget)} cannot be judged: ${why}`,
  });
  if (newest === null) return unknown("there are no events");
  const age = Date.parse(window.to) - Date.parse(newest);
  if (age > OLD_DAYS * DAY_MS)
    return unknown(
      `the newest event is of ${newest.slice(0, 10)}, ${count(Math.floor(age / DAY_MS), "day")} before the window ends; run \`ci-dispatch metrics sync\``,
    );
  if (!headline.values)
    return unknown(
      `${count(headline.n, "pull request is", "pull requests are")} too few`,
    );
  const { p90 } = headline.values;
  if (p90.ms > budget)
    return {
      kind: "above",
      words: `the P90 of ${p90.atLeast ? "at least " : ""}${showLeadTime(p90.ms)} is above the budget of ${showLeadTime(budget)}`,
    };
  return p90.atLeast
    ? unknown(
        `the P90 is at least ${showLeadTime(p90.ms)}, and ${headline.unfinished} of ${count(headline.n, "pull request")} have not ended`,
      )
    : { kind: "within" };
}
