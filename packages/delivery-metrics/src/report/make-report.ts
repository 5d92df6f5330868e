import type { DeliveryEvent, Instant } from "../events/event.js";
import { EventLog } from "../log/event-log.js";
import { SLICE } from "../log/slices.js";
import { Figures } from "./figures.js";
import { coverageOf, type Unread } from "./coverage.js";
import { byRef, distribution } from "./distribution.js";
import { doraOf } from "./dora.js";
import { groupBy } from "./groups.js";
import { countsAt, layOut } from "./lay-out.js";
import type { Layout, MeasuringProgress, Missing } from "./lay-out.js";
import type { Measured } from "./measured.js";
import { MEASURES } from "./report.js";
import type { DeliveryReport, MeasuredPull, Until } from "./report.js";
import { buildSamples, measureSamples, stageSamples } from "./samples.js";
import { seriesOf } from "./series.js";
import { STAGES } from "./stages.js";
import { DAY_MS, showWindow, windowBefore, within } from "./windows.js";
import type { Bounds } from "./windows.js";

export interface ReportOptions {
  /** The window's end. Events at this time or later are ignored. */
  readonly asOf: Instant;
  /** The window's length in days. */
  readonly days: number;
  /** Undefined for the farthest end that any event supports: an upgrade elsewhere, a publication, the merge. */
  readonly until?: Until | undefined;
  /** Selects pull requests that change this package. */
  readonly package?: string | undefined;
  /** Selects pull requests of this owner. */
  readonly team?: string | undefined;
  /** The number of values below which there are no percentiles. */
  readonly minimum?: number | undefined;
  /** Whether pull requests of programs count too. */
  readonly bots?: boolean | undefined;
  /** Files and lines that could not be read. The report lists them with the exclusions. */
  readonly unread?: Unread | undefined;
  /** The number of events that are held as objects at a time, roughly. The report doesn't depend on it. */
  readonly slice?: number | undefined;
  /** Shows the number of pull requests that have been measured. */
  readonly progress?: MeasuringProgress | undefined;
}

/** The default minimum. With 20 values, 18 are at or below the P90; with fewer, it means little. */
export const DEFAULT_MINIMUM = 20;
const MOST_SLOWEST = 10;

/**
 * Computes the report of a window. Pure: the same events, in any order, and the same options result in the same report.
 * @param events of one or more repositories; duplicates count once. A log is empty afterwards.
 */
export function makeReport(
  events: Iterable<DeliveryEvent> | EventLog,
  options: ReportOptions,
): DeliveryReport {
  return reportOf(measureWindow(events, options), options);
}

/** Computes the report of a window that is measured. */
export function reportOf(
  { layout, figures, log, window, all, inWindow, missing }: MeasuredWindow,
  options: ReportOptions,
): DeliveryReport {
  const { minimum = DEFAULT_MINIMUM } = options;
  return {
    version: 1,
    repositories: log.names,
    window: showWindow(window),
    newest:
      log.newest === undefined ? null : new Date(log.newest).toISOString(),
    until: layout.until,
    untilAsked: options.until !== undefined,
    only: { package: options.package ?? null, team: options.team ?? null },
    minimum,
    coverage: coverageOf(inWindow, missing, {
      unread: options.unread,
      unpublished: figures.unpublished,
    }),
    measures: record(MEASURES, (measure) =>
      distribution(measureSamples(inWindow, measure), minimum),
    ),
    stages: record(STAGES, (stage) =>
      distribution(stageSamples(inWindow, stage), minimum),
    ),
    builds: distribution(buildSamples(inWindow), minimum),
    packages: groupBy(inWindow, ({ packages }) => packages, minimum),
    owners: groupBy(inWindow, ({ owners }) => owners, minimum),
    series: seriesOf(all, window, minimum),
    savings: figures.savings.sum(),
    dora: doraOf(inWindow, [...layout.measured, ...layout.byBots], {
      until: layout.until,
      days: options.days,
      asOf: options.asOf,
    }),
    reuse: figures.reuse.sum(),
    flakes: figures.reliability.flakes(),
    infrastructure: figures.reliability.infrastructure(),
    slowest: slowestOf(inWindow).map(showPull),
    annotations: figures.annotations(),
  };
}

/** The measurements of a window, before they are aggregated. */
export interface MeasuredWindow {
  readonly layout: Layout;
  readonly figures: Figures;
  readonly log: { readonly names: readonly string[] } & Pick<
    EventLog,
    "newest"
  >;
  readonly window: Bounds;
  /** The measurements of the window and of the window before it. */
  readonly all: readonly Measured[];
  readonly inWindow: readonly Measured[];
  readonly missing: readonly Missing[];
}

/**
 * Measures the pull requests of a window.
 * @param events in any order; a log is empty afterwards
 */
export function measureWindow(
  events: Iterable<DeliveryEvent> | EventLog,
  {
    asOf,
    days,
    until,
    bots = false,
    package: name,
    team,
    slice = SLICE,
    progress,
  }: ReportOptions,
): MeasuredWindow {
  const log = EventLog.from(events, asOf);
  const { newest } = log;
  const names = log.repositories.map((each) => each.name);
  const window = windowBefore(asOf, days);
  const figures = new Figures(window);
  const layout = layOut(
    log,
    {
      until,
      bots,
      // Each point of the series has its own trailing window.
      since: window.from - days * DAY_MS,
      slice,
      progress,
    },
    (own) => figures.add(own),
  );
  const wanted = ({ packages, owners }: Pick<Missing, "packages" | "owners">) =>
    (name === undefined || packages.includes(name)) &&
    (team === undefined || owners.includes(team));
  const all = layout.measured
    .filter(wanted)
    .map((each) => ({ each, ref: each.ref }))
    .sort((a, b) => byRef(a.ref, b.ref))
    .map(({ each }) => each);
  return {
    layout,
    figures,
    log: { names, newest },
    window,
    all,
    inWindow: all.filter((each) => within(window, countsAt(each))),
    missing: layout.missing.filter(
      (each) => wanted(each) && within(window, each.at),
    ),
  };
}

function slowestOf(list: readonly Measured[]): readonly Measured[] {
  return list
    .map((each) => ({
      each,
      headline: each.headline ?? -1,
      gross: each.gross,
      pull: each.ref.pull,
    }))
    .sort(
      (a, b) => b.headline - a.headline || b.gross - a.gross || a.pull - b.pull,
    )
    .slice(0, MOST_SLOWEST)
    .map(({ each }) => each);
}

function showPull({
  ref,
  title,
  author,
  packages,
  began,
  merged,
  ended,
  unfinished,
  stages,
  gross,
  headline,
  machine,
}: Measured): MeasuredPull {
  const iso = (at: Instant) => new Date(at).toISOString();
  return {
    ...ref,
    title,
    author,
    began: iso(began),
    merged: iso(merged),
    ended: iso(ended),
    unfinished: unfinished !== undefined,
    gross,
    headline,
    machine,
    stages,
    packages,
  };
}

function record<Name extends string, Value>(
  names: readonly Name[],
  value: (name: Name) => Value,
): Readonly<Record<Name, Value>> {
  return Object.fromEntries(names.map((name) => [name, value(name)])) as Record<
    Name,
    Value
  >;
}
