import {
  compareWindows,
  measureWindow,
  reportOf,
  seededRandom,
  sidesOf,
  sidesOfEvents,
  sidesOfReport,
  type DeliveryReport,
  type EventLog,
  type ReportOptions,
} from "@skein/delivery-metrics";
import type { DispatchWorld } from "../world.js";
import type { Measuring } from "./action.js";
import { parseAsOf } from "./as-of.js";
import { reportOptions, warnOfEnd } from "./options.js";
import { openEvents, type StoredEvents } from "./read-events.js";
import { readKeptReport } from "./read-kept-report.js";
import { alignSides, type WindowSide } from "./sides.js";

/** The seed of the resamples. It is fixed, so that the same events result in the same report. */
export const SEED = 1;

/**
 * Reads the events and makes their report.
 * @param baseline a day, a time, or the file of a stored report, as the user typed it
 * @param also is called with the events before they are measured
 * @throws {Failure} if a file is unreadable, or a date is invalid
 */
export async function measure<Also>(
  world: DispatchWorld,
  measuring: Measuring,
  baseline: string | undefined,
  also: (log: EventLog, options: ReportOptions) => Also,
): Promise<{ readonly report: DeliveryReport; readonly also: Also }> {
  const asked = await reportOptions(world, measuring);
  const events = await openEvents(world, measuring.from);
  const log = await events.logAt(asked.asOf);
  const options = { ...asked, unread: events.unread };
  const more = also(log, options);
  const window = measureWindow(log, options);
  const report = reportOf(window, options);
  warnOfEnd(world, report);
  if (baseline === undefined) return { report, also: more };
  const before = await baselineOf(world, baseline, events, options, {
    ...sideMeasurer("the report", events, options),
    sides: sidesOf(window, options),
  });
  return { report: { ...report, baseline: before }, also: more };
}

async function baselineOf(
  { cwd }: DispatchWorld,
  baseline: string,
  events: StoredEvents,
  options: ReportOptions,
  own: WindowSide,
): Promise<NonNullable<DeliveryReport["baseline"]>> {
  const asOf = parseAsOf(baseline);
  const before: WindowSide =
    asOf === undefined
      ? {
          kind: "kept",
          name: baseline,
          sides: sidesOfReport(await readKeptReport(cwd, baseline)),
        }
      : await sideOfEvents(baseline, events, { ...options, asOf });
  const [one, other] = await alignSides([before, own], options.until);
  if (!one || !other) throw new RangeError("no sides");
  return {
    window: one.window,
    until: one.until,
    changes: compareWindows(one, other, seededRandom(SEED)),
  };
}

/**
 * Returns a side that can be measured to another end.
 * @param name the name as the user typed it
 */
export async function sideOfEvents(
  name: string,
  events: StoredEvents,
  options: ReportOptions,
): Promise<WindowSide> {
  const log = await events.logAt(options.asOf);
  return {
    ...sideMeasurer(name, events, options),
    sides: sidesOfEvents(log, options),
  };
}

/** Returns a side without its numbers. Measuring it to another end reads the events again. */
function sideMeasurer(
  name: string,
  events: StoredEvents,
  options: ReportOptions,
) {
  return {
    kind: "events" as const,
    name,
    measureTo: async (until: ReportOptions["until"]) =>
      sidesOfEvents(await events.logAt(options.asOf), { ...options, until }),
  };
}
