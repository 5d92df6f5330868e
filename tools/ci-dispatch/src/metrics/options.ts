import type { DeliveryReport, ReportOptions } from "@skein/delivery-metrics";
import { printable, usageFailure } from "@skein/reporting";
import type { DispatchWorld } from "../world.js";
import type { Measuring } from "./action.js";
import { parseAsOf } from "./as-of.js";

/**
 * Returns what is asked of a report. The end is that of --until, else that of `metrics.until` in skein.json.
 * @throws {Failure} where --as-of is no date
 * @throws {SettingsError} where skein.json is wrong
 */
export async function reportOptions(
  { now, cwd }: Pick<DispatchWorld, "now" | "cwd">,
  measuring: Measuring,
): Promise<ReportOptions> {
  const { days, team, bots, minimum } = measuring;
  const asOf = measuring.asOf === undefined ? now() : parseAsOf(measuring.asOf);
  if (asOf === undefined)
    throw usageFailure(`--as-of ${measuring.asOf ?? ""} isn't a date`, {
      hint: "say a day, 2026-01-31, or a time with its zone, 2026-01-31T12:00:00Z",
    });
  const until = measuring.until ?? (await untilOfSettings(cwd));
  return { asOf, days, until, package: measuring.package, team, bots, minimum };
}

async function untilOfSettings(cwd: string): Promise<Measuring["until"]> {
  // Only here, since the workspace takes longer to load than a small report to make.
  const { readSettings } = await import("../project.js");
  return (await readSettings(cwd)).metrics.until;
}

/** Warns where a report ends otherwise than its reader may think: nothing was ever published, as far as the events know. */
export function warnOfEnd(
  { stderr }: Pick<DispatchWorld, "stderr">,
  {
    until,
    untilAsked,
    coverage: { unpublished },
  }: Pick<DeliveryReport, "until" | "untilAsked" | "coverage">,
): void {
  if (unpublished.length === 0 || (until === "merged" && untilAsked)) return;
  const names = unpublished.map(printable).join(", ");
  stderr.write(
    until === "merged"
      ? `warning: no publication of ${names} is known, so lead times end with the merge\nhint: name in metrics.publish of skein.json where it publishes, or set metrics.until to "merged"\n`
      : `warning: no publication of ${names} is known, so none of its pull requests has ended\nhint: name in metrics.publish of skein.json where it publishes\n`,
  );
}
