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
import { reportOptions, warnOfEnd } from "./options.js";
import { readEvents } from "./read-events.js";
import { readKeptReport } from "./read-kept-report.js";
import { alignSides } from "./sides.js";
import type { WindowSide } from "./sides.js";

/** The seed of the resamples. It is fixed, so that the same events result in the same report. */
export const SEED = 1;

/** A report, and the events and options that it was made from. */
export interface Measured {
  readonly report: DeliveryReport;
  readonly events: readonly DeliveryEvent[];
  readonly options: ReportOptions;
}

/**
 * Reads the events and makes their report.
 * @param baseline a day, a time, or the file of a stored report, as the user typed it
 * @throws {Failure} if a file is unreadable, or a date is invalid
 */
export async function measure(
  world: DispatchWorld,
  measuring: Measuring,
  baseline: string | undefined,
): Promise<Measured> {
  const { events, unread } = await readEvents(world, measuring.from);
  const options = { ...(await reportOptions(world, measuring)), unread };
  const report = makeReport(events, options);
  warnOfEnd(world, report);
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
  const before: WindowSide =
    asOf === undefined
      ? {
          kind: "kept",
          name: baseline,
          sides: sidesOfReport(await readKeptReport(cwd, baseline)),
        }
      : sideOfEvents(baseline, events, { ...options, asOf });
  const [one, other] = alignSides(
    [before, sideOfEvents("the report", events, options)],
    options.until,
  );
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
export function sideOfEvents(
  name: string,
  events: readonly DeliveryEvent[],
  options: ReportOptions,
): WindowSide {
  return {
    kind: "events",
    name,
    sides: sidesOfEvents(events, options),
    measureTo: (until) => sidesOfEvents(events, { ...options, until }),
  };
}
