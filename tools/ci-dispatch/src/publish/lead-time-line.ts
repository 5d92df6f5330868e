import { showLeadTime, type KeptReport } from "@skein/delivery-metrics";
import { count } from "@skein/reporting";
import type { Plan } from "../plan.js";

/** The known lead times when a verdict is shown. */
export interface KnownLeadTimes {
  readonly plan: Plan | undefined;
  readonly report: KeptReport | undefined;
}

/**
 * Returns one line for a verdict's comment: the predicted time of this pull request's jobs, and the trailing P90. It is
 * empty if both are unknown.
 */
export function leadTimeLine({ plan, report }: KnownLeadTimes): string {
  const sentences = [
    ...(plan
      ? [`Predicted: ${showLeadTime(plan.prediction.wallMs)} of jobs.`]
      : []),
    ...(report && report.measures.headline.n > 0 ? [trailing(report)] : []),
  ];
  return sentences.length === 0 ? "" : `\n${sentences.join(" ")}\n`;
}

function trailing({ window, measures: { headline } }: KeptReport): string {
  const pulls = count(headline.n, "pull request");
  return headline.values
    ? `Trailing P90 of ${window.days} days: ${headline.values.p90.atLeast ? "at least " : ""}${showLeadTime(headline.values.p90.ms)} without human waiting, over ${pulls}.`
    : `No trailing P90 yet: ${pulls} in ${window.days} days are too few.`;
}
