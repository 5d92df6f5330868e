import type { ReportOptions } from "@skein/delivery-metrics";
import { usageFailure } from "@skein/reporting";
import type { DispatchWorld } from "../world.js";
import type { Measuring } from "./action.js";
import { parseAsOf } from "./as-of.js";

/** What is asked of a report. @throws {Failure} where --as-of is no date */
export function reportOptions(
  { now }: Pick<DispatchWorld, "now">,
  measuring: Measuring,
): ReportOptions {
  const { days, until, team, bots, minimum } = measuring;
  const asOf = measuring.asOf === undefined ? now() : parseAsOf(measuring.asOf);
  if (asOf === undefined)
    throw usageFailure(`--as-of ${measuring.asOf ?? ""} is no date`, {
      hint: "say a day, 2026-01-31, or a time with its zone, 2026-01-31T12:00:00Z",
    });
  return { asOf, days, until, package: measuring.package, team, bots, minimum };
}
