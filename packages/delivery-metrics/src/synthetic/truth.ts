import type { Measure, Stage } from "../report/report.js";
import { STAGES } from "../report/report.js";
import type { Released } from "./releases.js";

/** The true numbers, in the form of a report: whoever computes one from the events must come to the same. */
export interface Truth {
  readonly window: { readonly from: string; readonly to: string };
  readonly coverage: {
    readonly seen: number;
    readonly measured: number;
    readonly withBuilds: number;
    readonly excluded: Readonly<Record<string, number>>;
  };
  readonly measures: Readonly<Record<Measure, TruePercentiles>>;
  readonly stages: Readonly<Record<Stage, TruePercentiles>>;
  readonly builds: TruePercentiles;
  /** P90 of the headline by package, and by owner. */
  readonly packages: Readonly<Record<string, TrueGroup>>;
  readonly owners: Readonly<Record<string, TrueGroup>>;
  /** One for each day, over all days up to its end. */
  readonly series: readonly {
    readonly day: string;
    readonly delivered: number;
    readonly n: number;
    readonly p90: number;
    /** Of that day's alone. */
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

const HUMAN = ["draft", "review", "approved"] as const;
const DAY = 86_400_000;

/** One that counts, with its stages after the merge. */
interface Way {
  readonly told: Released;
  readonly ended: number;
  readonly stages: Readonly<Record<Stage, number>>;
  readonly gross: number;
  readonly headline: number;
  readonly machine: number;
}

/** Sums up what was drawn. */
export function sumUp(
  all: readonly Released[],
  {
    from,
    to,
    days,
  }: { from: number; to: number; days: number; repository: string },
): Truth {
  const excluded = { bot: 0, "not-published": 0, "no-builds": 0 };
  const ways: Way[] = [];
  for (const told of all) {
    if (told.bot) excluded.bot++;
    else if (!told.publication) excluded["not-published"]++;
    else ways.push(wayOf(told, told.publication));
  }
  const withBuilds = ways.filter(({ told }) => !told.hidden);
  excluded["no-builds"] = ways.length - withBuilds.length;
  const attempts = all
    .flatMap((each) => each.attempts)
    .filter(({ at }) => at < to);
  const flaked = attempts.filter((each) => each.flaked).length;
  // A run whose first attempt a machine failed has not flaked.
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
      excluded: Object.fromEntries(
        Object.entries(excluded).filter(([, count]) => count > 0),
      ),
    },
    measures: {
      gross: percentiles(ways.map(({ gross }) => gross)),
      headline: percentiles(withBuilds.map(({ headline }) => headline)),
      machine: percentiles(withBuilds.map((each) => each.machine)),
    },
    stages: Object.fromEntries(
      STAGES.map((stage) => [
        stage,
        percentiles(withBuilds.map(({ stages }) => stages[stage])),
      ]),
    ) as Truth["stages"],
    builds: percentiles(withBuilds.flatMap(({ told }) => told.builds)),
    packages: groups(withBuilds, ({ packages }) => packages),
    owners: groups(withBuilds, ({ owners }) => owners),
    series: Array.from({ length: days }, (_, index) => {
      const start = from + index * DAY;
      const upTo = withBuilds.filter(({ ended }) => ended < start + DAY);
      const ofDay = upTo.filter(({ ended }) => ended >= start);
      return {
        day: new Date(start).toISOString().slice(0, 10),
        delivered: ofDay.length,
        n: upTo.length,
        dayP90: percentile(
          ofDay.map(({ headline }) => headline),
          90,
        ),
        p90: percentile(
          upTo.map(({ headline }) => headline),
          90,
        ),
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

function wayOf(
  told: Released,
  { started, at }: { readonly started: number; readonly at: number },
): Way {
  // The publication may begin while the post-merge build still runs; then that time is its own.
  const building = Math.max(0, Math.min(told.built, started) - told.merged);
  const stages = {
    ...(Object.fromEntries(STAGES.map((stage) => [stage, 0])) as Record<
      Stage,
      number
    >),
    ...told.stages,
    "post-merge-build": building,
    publish: at - started,
    "publish-wait": started - told.merged - building,
  };
  const gross = at - told.began;
  const headline = HUMAN.reduce((rest, stage) => rest - stages[stage], gross);
  return {
    told,
    ended: at,
    stages,
    gross,
    headline,
    machine: headline - stages["publish-wait"],
  };
}

/** Runs of which at least one attempt ended: each has one first attempt. */
function endedRuns(all: readonly Released[], to: number): number {
  return all
    .flatMap(({ attempts }) => attempts)
    .filter((each) => each.at < to && !each.flaked).length;
}

/** Runs that passed after a machine had failed. */
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
  names: (told: Released) => readonly string[],
): Readonly<Record<string, TrueGroup>> {
  const all = [...new Set(ways.flatMap(({ told }) => names(told)))];
  return Object.fromEntries(
    all.map((name) => {
      const own = ways.filter(({ told }) => names(told).includes(name));
      return [
        name,
        {
          n: own.length,
          p90: percentile(
            own.map(({ headline }) => headline),
            90,
          ),
        },
      ];
    }),
  );
}

function percentiles(values: readonly number[]): TruePercentiles {
  const at = (p: number) => percentile(values, p);
  return {
    n: values.length,
    p50: at(50),
    p75: at(75),
    p90: at(90),
    p95: at(95),
  };
}

/** The definition, word by word: the smallest value that at least p of 100 do not exceed. NaN of nothing. */
function percentile(values: readonly number[], p: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  for (const [index, value] of sorted.entries())
    if ((index + 1) * 100 >= p * sorted.length) return value;
  return NaN;
}
