import type { DeliveryEvent } from "../events/event.js";
import type { EventLog } from "../log/event-log.js";
import type { Sample } from "../report/distribution.js";
import { DEFAULT_MINIMUM, measureWindow } from "../report/make-report.js";
import type { MeasuredWindow, ReportOptions } from "../report/make-report.js";
import { MEASURES, type DeliveryReport, type Until } from "../report/report.js";
import {
  buildSamples,
  measureSamples,
  stageSamples,
} from "../report/samples.js";
import { isHuman, STAGES } from "../report/stages.js";
import { showWindow, type Window } from "../report/windows.js";
import { changeOf, sideOf, type Change, type Side } from "./change.js";
import type { KeptReport } from "./kept-report.js";
import type { StageTable } from "./stage-table.js";

/** All P90s of one window, for a comparison. */
export interface WindowSides {
  readonly window: Window;
  /** The event that ends the lead time. */
  readonly until: Until;
  /** The filter of pull requests. */
  readonly only: DeliveryReport["only"];
  readonly sides: ReadonlyMap<Change["of"], Side>;
}

/** The measures that are compared, in the order of the output. */
export const COMPARED: readonly Change["of"][] = [
  ...MEASURES,
  "builds",
  ...STAGES,
];

/** Measures a window for a comparison. @param events in any order; a log is empty afterwards */
export function sidesOfEvents(
  events: Iterable<DeliveryEvent> | EventLog,
  options: ReportOptions,
): WindowSides {
  return sidesOf(measureWindow(events, options), options);
}

/** Returns the P90s of a window that is measured. */
export function sidesOf(
  { window, inWindow, layout }: MeasuredWindow,
  options: ReportOptions,
): WindowSides {
  const minimum = options.minimum ?? DEFAULT_MINIMUM;
  const side = (samples: readonly Sample[]) => sideOf(samples, minimum);
  return {
    window: showWindow(window),
    until: layout.until,
    only: { package: options.package ?? null, team: options.team ?? null },
    sides: new Map<Change["of"], Side>([
      ...MEASURES.map(
        (name) => [name, side(measureSamples(inWindow, name))] as const,
      ),
      ...STAGES.map(
        (name) => [name, side(stageSamples(inWindow, name))] as const,
      ),
      ["builds", side(buildSamples(inWindow))],
    ]),
  };
}

/** Returns a stored report's P90s. The report has no single values, so a comparison with it has no interval. */
export function sidesOfReport({
  window,
  until,
  only,
  measures,
  stages,
  builds,
}: KeptReport): WindowSides {
  const all = { ...measures, ...stages, builds };
  return {
    window,
    until,
    only,
    sides: new Map(
      COMPARED.map((of) => {
        const { n, values } = all[of];
        const { ms = null, atLeast = false } = values?.p90 ?? {};
        return [of, { n, ms, atLeast, durations: undefined }];
      }),
    ),
  };
}

/**
 * Compares each P90 of two windows that have the same end. It skips stages and builds without time in both.
 * @param random returns another number from 0 to 1 each time
 */
export function compareWindows(
  before: WindowSides,
  after: WindowSides,
  random: () => number,
): readonly Change[] {
  return COMPARED.flatMap((of) => {
    const one = before.sides.get(of);
    const other = after.sides.get(of);
    if (!one || !other || (!one.ms && !other.ms && !isMeasure(of))) return [];
    return [changeOf(of, one, other, random)];
  });
}

function isMeasure(of: Change["of"]): boolean {
  return (MEASURES as readonly string[]).includes(of);
}

/**
 * Returns the stage P90s of a window, without human stages: the terms of LinkedIn's model. Undefined if a stage has too
 * few values.
 */
export function stageTableOf({ sides }: WindowSides): StageTable | undefined {
  const stages = new Map<string, number>();
  for (const stage of STAGES) {
    const ms = sides.get(stage)?.ms ?? null;
    if (ms === null) return undefined;
    if (!isHuman(stage) && ms > 0) stages.set(stage, ms);
  }
  return { version: 1, stages };
}
