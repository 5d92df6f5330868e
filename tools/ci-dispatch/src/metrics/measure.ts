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

/** Returns a side that can be measured to another end. @param name as it was typed */
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
