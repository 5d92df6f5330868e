import type { Measure } from "../report/report.js";
import { STAGES, type Stage } from "../report/stages.js";
import type { Released } from "./releases.test.kit.js";

/** The correct numbers, in the form of a report. A report that is computed from the events must contain the same. */
export interface Truth {
  readonly window: { readonly from: string; readonly to: string };
  readonly coverage: {
    readonly seen: number;
    readonly measured: number;
    readonly withBuilds: number;
    readonly unfinished: number;
    readonly excluded: Readonly<Record<string, number>>;
  };
  readonly measures: Readonly<Record<Measure, TruePercentiles>>;
  readonly stages: Readonly<Record<Stage, TruePercentiles>>;
  readonly builds: TruePercentiles;
  /** P90 of the headline by package, and by owner. */
  readonly packages: Readonly<Record<string, TrueGroup>>;
  readonly owners: Readonly<Record<string, TrueGroup>>;
  /** One point for each day, over all days up to its end. */
  readonly series: readonly {
    readonly day: string;
    readonly delivered: number;
    readonly n: number;
    readonly p90: number;
    /** The P90 of that day only. */
    readonly dayP90: number;
  }[];
  readonly savings: { readonly plans: number; readonly unitsSaved: number };
  readonly flakyRuns: readonly [count: number, of: number];
  readonly machineFailures: readonly [count: number, of: number];
}

export interface TruePercentiles {
  readonly n: number;
  readonly p50: number;
  readonly p75: number;
  readonly p90: number;
  readonly p95: number;
}

export interface TrueGroup {
  readonly n: number;
  readonly p90: number;
}

const DAY = 86_400_000;
const HUMAN = ["draft", "review", "approved"] as const;

/** A pull request that counts, with its stages after the merge. */
interface Way {
  readonly drawn: Released;
  /** The window's end if it has not ended. */
  readonly ended: number;
  readonly isOpen: boolean;
  readonly stages: Readonly<Record<Stage, number>>;
  readonly gross: number;
  readonly headline: number;
  readonly machine: number;
}

/** Computes the truth from the drawn values. */
export function sumUp(
  all: readonly Released[],
  {
    from,
    to,
    days,
  }: { from: number; to: number; days: number; repository: string },
): Truth {
  const excluded = { bot: 0, "no-builds": 0 };
  const ways: Way[] = [];
  for (const drawn of all) {
    if (drawn.bot) excluded.bot++;
    else ways.push(wayOf(drawn, to));
  }
  const withBuilds = ways.filter(({ drawn }) => !drawn.hidden);
  excluded["no-builds"] = ways.length - withBuilds.length;
  const attempts = all
    .flatMap((each) => each.attempts)
    .filter(({ at }) => at < to);
  const flaked = attempts.filter((each) => each.flaked).length;
  // A run whose first attempt had an infrastructure failure isn't flaky.
  const machine = attempts.filter(
    ({ outcome }) => outcome === "machine",
  ).length;
  const runsEnded = endedRuns(all, to);
  return {
    window: {
      from: new Date(from).toISOString(),
      to: new Date(to).toISOString(),
    },
    coverage: {
      seen: all.length,
      measured: ways.length,
      withBuilds: withBuilds.length,
      unfinished: ways.filter(({ isOpen }) => isOpen).length,
      excluded: Object.fromEntries(
        Object.entries(excluded).filter(([, count]) => count > 0),
      ),
    },
    measures: {
      gross: percentiles(ways.map((way) => seen(way, way.gross))),
      headline: percentiles(withBuilds.map((way) => seen(way, way.headline))),
      machine: percentiles(withBuilds.map((way) => seen(way, way.machine))),
    },
    stages: Object.fromEntries(
      STAGES.map((stage) => [
        stage,
        percentiles(
          withBuilds.map((way) => ({
            ms: way.stages[stage],
            isOpen: way.isOpen && AFTER_MERGE.includes(stage),
          })),
        ),
      ]),
    ) as Truth["stages"],
    builds: percentiles(
      withBuilds.flatMap(({ drawn }) =>
        drawn.builds.map((ms) => ({ ms, isOpen: false })),
      ),
    ),
    packages: groups(withBuilds, ({ packages }) => packages),
    owners: groups(withBuilds, ({ owners }) => owners),
    series: Array.from({ length: days }, (_, index) => {
      const start = from + index * DAY;
      const end = start + DAY;
      const upTo = withBuilds.filter(({ ended }) => ended < end);
      const ofDay = upTo.filter(({ ended }) => ended >= start);
      // Human stages end with the merge, so all time since then is in the headline.
      const under = withBuilds
        .filter(({ drawn, ended }) => drawn.merged < end && ended >= end)
        .map(({ headline, ended }) => ({
          ms: headline - (ended - end),
          isOpen: true,
        }));
      const all = [...upTo.map((way) => seen(way, way.headline)), ...under];
      return {
        day: new Date(start).toISOString().slice(0, 10),
        delivered: ofDay.length,
        n: all.length,
        dayP90: percentile(
          ofDay.map((way) => seen(way, way.headline)),
          90,
        ),
        p90: percentile(all, 90),
      };
    }),
    savings: {
      plans: all.length,
      unitsSaved: all.reduce(
        (sum, { plan }) => sum + plan.everything - plan.selected,
        0,
      ),
    },
    flakyRuns: [flaked - recovered(all, to), runsEnded],
    machineFailures: [machine, attempts.length],
  };
}

/** @param to a pull request that isn't published by then has not ended */
function wayOf(drawn: Released, to: number): Way {
  const { started, at } = drawn.publication ?? { started: to, at: to };
  // The publication may start while the post-merge build still runs. Then the overlap belongs to the publication.
  const building = Math.max(0, Math.min(drawn.built, started) - drawn.merged);
  const stages = {
    ...(Object.fromEntries(STAGES.map((stage) => [stage, 0])) as Record<
      Stage,
      number
    >),
    ...drawn.stages,
    "post-merge-build": building,
    publish: at - started,
    "publish-wait": started - drawn.merged - building,
  };
  const gross = at - drawn.began;
  const headline = HUMAN.reduce((rest, stage) => rest - stages[stage], gross);
  return {
    drawn,
    ended: at,
    isOpen: !drawn.publication,
    stages,
    gross,
    headline,
    machine: headline - stages["publish-wait"],
  };
}

/** Counts the runs with at least one ended attempt, by their first attempts. */
function endedRuns(all: readonly Released[], to: number): number {
  return all
    .flatMap(({ attempts }) => attempts)
    .filter((each) => each.at < to && !each.flaked).length;
}

/** Counts the runs that passed after an infrastructure failure. */
function recovered(all: readonly Released[], to: number): number {
  return all.reduce(
    (sum, { attempts }) =>
      sum +
      attempts.filter(
        (each, index) =>
          each.flaked &&
          each.at < to &&
          attempts[index - 1]?.outcome === "machine",
      ).length,
    0,
  );
}

function groups(
  ways: readonly Way[],
  names: (drawn: Released) => readonly string[],
): Readonly<Record<string, TrueGroup>> {
  const all = [...new Set(ways.flatMap(({ drawn }) => names(drawn)))];
  return Object.fromEntries(
    all.map((name) => {
      const own = ways.filter(({ drawn }) => names(drawn).includes(name));
      return [
        name,
        {
          n: own.length,
          p90: percentile(
            own.map((way) => seen(way, way.headline)),
            90,
          ),
        },
      ];
    }),
  );
}

/** A length; if `isOpen`, the length so far. */
interface Seen {
  readonly ms: number;
  readonly isOpen: boolean;
}

function seen({ isOpen }: Way, ms: number): Seen {
  return { ms, isOpen };
}

const AFTER_MERGE: readonly Stage[] = [
  "post-merge-build",
  "publish",
  "publish-wait",
];

function percentiles(values: readonly Seen[]): TruePercentiles {
  const at = (p: number) => percentile(values, p);
  return {
    n: values.length,
    p50: at(50),
    p75: at(75),
    p90: at(90),
    p95: at(95),
  };
}

/**
 * Computes a percentile by its definition. Of the values that reach a length, some end with it and the others take
 * longer. The share that takes longer than a length is the product of these fractions. The percentile is the smallest
 * length that the given share doesn't exceed. NaN for an empty list.
 */
function percentile(values: readonly Seen[], p: number): number {
  const ends = values.filter(({ isOpen }) => !isOpen).map(({ ms }) => ms);
  const lengths = [...new Set(ends)].sort((a, b) => a - b);
  const sorted = values.map(({ ms }) => ms).sort((a, b) => a - b);
  const rank = Math.ceil((p * values.length) / 100);
  if (ends.length === values.length) return sorted[rank - 1] ?? NaN;
  const ended = new Map<number, number>();
  for (const ms of ends) ended.set(ms, (ended.get(ms) ?? 0) + 1);
  let longer = 1;
  let before = 0;
  for (const length of lengths) {
    while ((sorted[before] ?? length) < length) before++;
    longer *= 1 - (ended.get(length) ?? 0) / (sorted.length - before);
    if (1 - longer >= p / 100 - 1e-9) return length;
  }
  return Math.max(sorted[rank - 1] ?? NaN, ...ends);
}
