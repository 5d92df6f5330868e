import type { Until } from "../report/report.js";
import { UNTILS } from "../report/report.js";

/**
 * Returns the end that all of these can be measured to: the nearest. A merge lies before a publication, and that before its arrival in
 * another repository; numbers of different ends tell about the ends, and not about delivery.
 * @param ends at least one
 */
export function commonEnd(ends: readonly Until[]): Until {
  return UNTILS.find((until) => ends.includes(until)) ?? "merged";
}
