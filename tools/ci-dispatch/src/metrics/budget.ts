import {
  DAY_MS,
  showLeadTime,
  type DeliveryReport,
} from "@skein/delivery-metrics";
import { count } from "@skein/reporting";

/** Whether the headline's P90 is within a budget. `words` give the reason if it isn't, or if that is unknown. */
export type BudgetVerdict =
  | { readonly kind: "within" }
  | { readonly kind: "above"; readonly words: string }
  | { readonly kind: "unknown"; readonly words: string };

/**
 * A store whose newest event is older than this is treated as no longer synchronized. Weekends and holidays are
 * shorter.
 */
const OLD_DAYS = 7;

/**
 * Judges the headline's P90. A good answer needs enough pull requests, and a store that is still synchronized.
 * Otherwise the gate would pass for the length of the window in any case.
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
