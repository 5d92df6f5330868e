import type { DeliveryReport, ReportOptions } from "@skein/delivery-metrics";
import { count, printable, usageFailure } from "@skein/reporting";
import type { DispatchWorld } from "../world.js";
import type { Measuring } from "./action.js";
import { parseAsOf } from "./as-of.js";
import { openProgress } from "./progress.js";

/**
 * Returns the options of a report. --until takes precedence over `metrics.until` in skein.json.
 * @throws {Failure} if --as-of isn't a date
 * @throws {SettingsError} if skein.json is invalid
 */
export async function reportOptions(
  world: Pick<DispatchWorld, "now" | "cwd" | "stderr" | "env">,
  measuring: Measuring,
): Promise<ReportOptions> {
  const { now } = world;
  const { days, team, bots, minimum } = measuring;
  const asOf = measuring.asOf === undefined ? now() : parseAsOf(measuring.asOf);
  if (asOf === undefined)
    throw usageFailure(`--as-of ${measuring.asOf ?? ""} isn't a date`, {
      hint: "use a date, 2026-01-31, or a time with its zone, 2026-01-31T12:00:00Z",
    });
  const until = measuring.until ?? (await untilOfSettings(world));
  const progress = openProgress(world);
  return {
    ...{ asOf, days, until, package: measuring.package, team, bots, minimum },
    progress: {
      show: (pulls) =>
        progress.show(() => `measuring ${count(pulls, "pull request")}`),
      close: () => progress.close(),
    },
  };
}

async function untilOfSettings(
  world: Pick<DispatchWorld, "cwd" | "env">,
): Promise<Measuring["until"]> {
  // Imported here because loading this module takes longer than making a small report.
  const { readSettings } = await import("../project.js");
  return (await readSettings(world)).metrics.until;
}

/** Warns if a report may end differently from what its reader expects, because the events contain no publication. */
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
      ? `warning: no publication of ${names} is known, so lead times end with the merge\nhint: add its publications to metrics.publish in skein.json, or set metrics.until to "merged"\n`
      : `warning: no publication of ${names} is known, so none of its pull requests has ended\nhint: add its publications to metrics.publish in skein.json\n`,
  );
}
