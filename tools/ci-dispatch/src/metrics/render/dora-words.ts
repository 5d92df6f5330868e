import type { DeliveryReport, Dora } from "@skein/delivery-metrics";
import { count } from "@skein/reporting";
import { showBound, showRate } from "./words.js";

/** Returns DORA's four keys as one sentence; none if no measured change was published. */
export function doraWords({
  dora,
  measures: { gross },
  window: { days },
}: DeliveryReport): readonly string[] {
  if (!dora || dora.deployments === 0) return [];
  const { values } = dora.recovery;
  return [
    [
      `DORA: ${count(dora.deployments, "deployment")} in ${count(days, "day")} (${perDay(dora)} a day)`,
      ...(gross.values ? [`lead time P50 ${showBound(gross.values.p50)}`] : []),
      `failed changes: ${showRate(dora.failures)}`,
      ...(values ? [`recovery P50 ${showBound(values.p50)}`] : []),
    ].join("; "),
  ];
}

/** Returns deployments per day with two significant digits: `0.14`, `2.3`, `41`. */
export function perDay({ deploymentsPerDay }: Dora): string {
  return String(Number(deploymentsPerDay.toPrecision(2)));
}
