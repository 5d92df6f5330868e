import type { DeliveryEvent, Instant } from "../events/event.js";
import type { RepositoryFacts } from "../facts/facts.js";
import type { Excluded, Timeline } from "../timeline/timeline.js";
import { coverageOf } from "./coverage.js";
import { byRef, distribution } from "./distribution.js";
import { doraOf } from "./dora.js";
import { groupBy } from "./groups.js";
import type { Layout } from "./lay-out.js";
import { countsAt, layOut } from "./lay-out.js";
import type { Measured } from "./measured.js";
import {
  buildSamples,
  measured,
  measureSamples,
  stageSamples,
} from "./measured.js";
import { flakesOf, infrastructureOf } from "./reliability.js";
import type { DeliveryReport, MeasuredPull, Unread, Until } from "./report.js";
import { MEASURES, STAGES } from "./report.js";
import { reuseOf } from "./reuse.js";
import { savingsOf } from "./savings.js";
import { seriesOf } from "./series.js";
import type { Bounds } from "./windows.js";
import { DAY_MS, showWindow, windowBefore, within } from "./windows.js";

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
}

/** The default minimum. With 20 values, 18 are at or below the P90; with fewer, it means little. */
export const DEFAULT_MINIMUM = 20;
export const DEFAULT_DAYS = 42;
const MOST_SLOWEST = 10;

/**
 * Computes the report of a window. Pure: the same events, in any order, and the same options result in the same report.
 * @param events of one or more repositories; duplicates count once
 */
export function makeReport(
  events: Iterable<DeliveryEvent>,
  options: ReportOptions,
): DeliveryReport {
  const { minimum = DEFAULT_MINIMUM } = options;
  const { layout, window, all, inWindow, excluded } = measureWindow(
    events,
    options,
  );
  const { facts } = layout;
  return {
    version: 1,
    repositories: [...facts.repositories.keys()],
    window: showWindow(window),
    newest:
      layout.newest === undefined
        ? null
        : new Date(layout.newest).toISOString(),
    until: layout.until,
    untilAsked: options.until !== undefined,
    only: { package: options.package ?? null, team: options.team ?? null },
    minimum,
    coverage: coverageOf(inWindow, excluded, {
      unread: options.unread,
      unpublished: [...facts.repositories.values()]
        .filter(isUnpublished)
        .map(({ name }) => name),
    }),
    measures: record(MEASURES, (measure) =>
      distribution(measureSamples(inWindow, measure), minimum),
    ),
    stages: record(STAGES, (stage) =>
      distribution(stageSamples(inWindow, stage), minimum),
    ),
    builds: distribution(buildSamples(inWindow), minimum),
    packages: groupBy(
      inWindow,
      ({ timeline }) => timeline.facts.attributed?.packages ?? [],
      minimum,
    ),
    owners: groupBy(
      inWindow,
      ({ timeline }) => timeline.facts.attributed?.owners ?? [],
      minimum,
    ),
    series: seriesOf(all, window, minimum),
    savings: savingsOf(facts.plans, window),
    dora: doraOf(inWindow, [...layout.timelines, ...layout.byBots], {
      until: layout.until,
      days: options.days,
      asOf: options.asOf,
    }),
    reuse: reuseOf(facts.reuse, window),
    flakes: flakesOf(facts, window),
    infrastructure: infrastructureOf(facts, window),
    slowest: inWindow
      .toSorted(
        (a, b) =>
          (b.headline ?? -1) - (a.headline ?? -1) ||
          b.gross - a.gross ||
          a.ref.pull - b.ref.pull,
      )
      .slice(0, MOST_SLOWEST)
      .map(showPull),
    annotations: facts.annotations
      .filter(({ at }) => within(window, at))
      .map(({ at, repository, what, text }) => ({
        at: new Date(at).toISOString(),
        repository,
        what,
        text,
      })),
  };
}

function isUnpublished({ pulls, publications }: RepositoryFacts): boolean {
  return (
    publications.length === 0 &&
    [...pulls.values()].some(({ merged }) => merged !== undefined)
  );
}

/** The measurements of a window, before they are aggregated. */
export interface MeasuredWindow {
  readonly layout: Layout;
  readonly window: Bounds;
  /** The measurements of the window and of the window before it. */
  readonly all: readonly Measured[];
  readonly inWindow: readonly Measured[];
  readonly excluded: readonly Excluded[];
}

/** Lays out the pull requests of a window. */
export function measureWindow(
  events: Iterable<DeliveryEvent>,
  { asOf, days, until, bots = false, package: name, team }: ReportOptions,
): MeasuredWindow {
  const window = windowBefore(asOf, days);
  const layout = layOut(events, {
    asOf,
    until,
    bots,
    // Each point of the series has its own trailing window.
    since: window.from - days * DAY_MS,
  });
  const wanted = ({ facts: { attributed } }: Pick<Timeline, "facts">) =>
    (name === undefined || (attributed?.packages.includes(name) ?? false)) &&
    (team === undefined || (attributed?.owners.includes(team) ?? false));
  const all = layout.timelines
    .filter(wanted)
    .map(measured)
    .sort((a, b) => byRef(a.ref, b.ref));
  return {
    layout,
    window,
    all,
    inWindow: all.filter(({ timeline }) => within(window, countsAt(timeline))),
    excluded: layout.excluded.filter(
      (each) => wanted(each) && within(window, each.at),
    ),
  };
}

function showPull({
  timeline: { facts, began, merged, ended, unfinished },
  ref,
  stages,
  gross,
  headline,
  machine,
}: Measured): MeasuredPull {
  const iso = (at: Instant) => new Date(at).toISOString();
  return {
    ...ref,
    title: facts.opened?.title ?? null,
    author: facts.opened?.author ?? "",
    began: iso(began),
    merged: iso(merged),
    ended: iso(ended),
    unfinished: unfinished !== undefined,
    gross,
    headline,
    machine,
    stages,
    packages: facts.attributed?.packages ?? [],
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
