import {
  compareWindows,
  makeReport,
  seededRandom,
  sidesOfEvents,
  sidesOfReport,
} from "@skein/delivery-metrics";
import type {
  DeliveryEvent,
  DeliveryReport,
  ReportOptions,
} from "@skein/delivery-metrics";
import type { DispatchWorld } from "../world.js";
import type { Measuring } from "./action.js";
import { parseAsOf } from "./as-of.js";
import { reportOptions } from "./options.js";
import { readEvents } from "./read-events.js";
import { readKeptReport } from "./read-kept-report.js";

/** Resamples are drawn with the same numbers every time, so that the same events give the same report. */
export const SEED = 1;

/** What was measured, and what it was measured from. */
export interface Measured {
  readonly report: DeliveryReport;
  readonly events: readonly DeliveryEvent[];
  readonly options: ReportOptions;
}

/**
 * Reads the events and makes their report.
 * @param baseline a day, a time, or a kept report's file, as it was typed
 * @throws {Failure} where something cannot be read, or is no date
 */
export async function measure(
  world: DispatchWorld,
  measuring: Measuring,
  baseline: string | undefined,
): Promise<Measured> {
  const { events, unread } = await readEvents(world, measuring.from);
  const options = { ...reportOptions(world, measuring), unread };
  const report = makeReport(events, options);
  if (baseline === undefined) return { report, events, options };
  const before = await baselineOf(world, baseline, events, options);
  return { report: { ...report, baseline: before }, events, options };
}

async function baselineOf(
  { cwd }: DispatchWorld,
  baseline: string,
  events: readonly DeliveryEvent[],
  options: ReportOptions,
): Promise<NonNullable<DeliveryReport["baseline"]>> {
  const asOf = parseAsOf(baseline);
  const before =
    asOf === undefined
      ? sidesOfReport(await readKeptReport(cwd, baseline))
      : sidesOfEvents(events, { ...options, asOf });
  const after = sidesOfEvents(events, options);
  return {
    window: before.window,
    changes: compareWindows(before, after, seededRandom(SEED)),
  };
}
