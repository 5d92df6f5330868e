import { UNTILS, type Until } from "../report/report.js";

/**
 * Returns the nearest of several ends, which all of the windows can be measured to. A merge is earlier than a
 * publication, and a publication earlier than its upgrade in another repository. Numbers with different ends would
 * measure the ends instead of delivery.
 * @param ends at least one
 */
export function commonEnd(ends: readonly Until[]): Until {
  return UNTILS.find((until) => ends.includes(until)) ?? "merged";
}
