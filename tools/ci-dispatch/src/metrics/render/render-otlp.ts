import {
  DAY_MS,
  MEASURES,
  mergedPulls,
  PERCENTILES,
  runDurations,
  STAGES,
  windowBefore,
  type Conclusion,
  type DeliveryReport,
  type Distribution,
  type EventLog,
  type Instant,
} from "@skein/delivery-metrics";

type Attributes = Readonly<Record<string, string | number>>;

/** OpenTelemetry's `cicd.pipeline.result` for GitHub's conclusions. */
const RESULTS: Readonly<Record<Conclusion, string>> = {
  success: "success",
  neutral: "success",
  failure: "failure",
  action_required: "failure",
  timed_out: "timeout",
  cancelled: "cancellation",
  skipped: "skip",
  startup_failure: "error",
  stale: "error",
  unknown: "error",
};
/** The bounds of the histogram in seconds, from a lint to a nightly suite. */
const BOUNDS = [10, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400];
const GAUGE_SCOPE = "skein";
/** OTLP's `AGGREGATION_TEMPORALITY_CUMULATIVE`. */
const CUMULATIVE = 2;

/** A metric of OTLP's JSON. */
type Metric = Readonly<Record<string, unknown>>;

/** Returns the metrics of an export that are made of single runs and merges, in the window of a report. */
export function eventMetrics(
  log: EventLog,
  { asOf, days }: { readonly asOf: Instant; readonly days: number },
  server: string,
): readonly Metric[] {
  const bounds = windowBefore(asOf, days);
  return [
    histograms(log, asOf, server),
    gauge(
      "vcs.change.time_to_merge",
      "The amount of time since its creation it took a change to get merged.",
      mergedPulls(log, bounds).map(
        ({ repository, pull, branch, merged, timeToMergeMs }) => ({
          at: nanoseconds(merged),
          value: timeToMergeMs / 1000,
          attributes: {
            ...repositoryOf(repository, server),
            "vcs.ref.head.name": branch,
            "vcs.change.id": String(pull),
          },
        }),
      ),
    ),
  ].filter((metric) => metric !== undefined);
}

/**
 * Formats a report as OTLP JSON (one `ExportMetricsServiceRequest`), to be sent to a collector's `/v1/metrics`. It uses
 * the names of OpenTelemetry's semantic conventions where there are any (CI/CD and VCS metrics, semconv 1.37), and
 * `skein.*` for the percentiles.
 * @param ofEvents the metrics of its events (`eventMetrics`)
 */
export function renderOtlp(
  report: DeliveryReport,
  ofEvents: readonly Metric[],
): string {
  const time = { end: nanoseconds(Date.parse(report.window.to)) };
  const metrics = [
    ...ofEvents,
    gauge(
      "skein.lead_time",
      "Lead time of pull requests over a trailing window, by measure.",
      MEASURES.flatMap((measure) =>
        points(
          report.measures[measure],
          { "skein.measure": measure },
          time.end,
        ),
      ),
    ),
    gauge(
      "skein.stage",
      "Time of pull requests in a stage over a trailing window.",
      STAGES.flatMap((stage) =>
        points(report.stages[stage], { "skein.stage": stage }, time.end),
      ),
    ),
  ].filter((metric) => metric !== undefined);
  return `${JSON.stringify({
    resourceMetrics: [
      {
        resource: {
          attributes: attributesOf({
            "service.name": "ci-dispatch",
            "vcs.provider.name": "github",
          }),
        },
        scopeMetrics: [{ scope: { name: GAUGE_SCOPE }, metrics }],
      },
    ],
  })}\n`;
}

interface Point {
  readonly at: string;
  readonly value: number;
  readonly attributes: Attributes;
}

function points(
  { values }: Distribution,
  attributes: Attributes,
  at: string,
): readonly Point[] {
  return values
    ? PERCENTILES.map((p) => ({
        at,
        value: values[`p${p}`].ms / 1000,
        attributes: {
          ...attributes,
          "skein.percentile": p,
          ...(values[`p${p}`].atLeast && { "skein.at_least": "true" }),
        },
      }))
    : [];
}

function gauge(name: string, description: string, list: readonly Point[]) {
  if (list.length === 0) return undefined;
  return {
    name,
    description,
    unit: "s",
    gauge: {
      dataPoints: list.map(({ at, value, attributes }) => ({
        timeUnixNano: at,
        asDouble: value,
        attributes: attributesOf(attributes),
      })),
    },
  };
}

/**
 * Returns the durations by repository, workflow, result and state: waiting for a machine, and running. They are cumulative:
 * each point counts every run since the first day of the store. Windows of a report overlap, so a sum over reports would
 * count a run several times. A cumulative point has no such problem: sending it twice changes nothing, and the next one makes
 * up for a missing one (OpenTelemetry's metrics data model, "Temporality").
 * @param to the end of the window; later runs don't count
 */
function histograms(log: EventLog, to: Instant, server: string) {
  const runs = runDurations(log, { from: -Infinity, to });
  const series = new Map<
    string,
    { attributes: Attributes; values: number[] }
  >();
  for (const { repository, workflow, conclusion, ...spans } of runs)
    for (const [state, ms] of [
      ["pending", spans.pendingMs],
      ["executing", spans.executingMs],
    ] as const) {
      const result = RESULTS[conclusion];
      const key = JSON.stringify([repository, workflow, conclusion, state]);
      const own = series.get(key) ?? {
        attributes: {
          ...repositoryOf(repository, server),
          "cicd.pipeline.name": workflow,
          "cicd.pipeline.run.state": state,
          "cicd.pipeline.result": result,
          ...((result === "error" || result === "timeout") && {
            "error.type": conclusion,
          }),
        },
        values: [],
      };
      series.set(key, own);
      own.values.push(ms / 1000);
    }
  if (series.size === 0) return undefined;
  const start = nanoseconds(firstDayOf(log));
  const end = nanoseconds(to);
  return {
    name: "cicd.pipeline.run.duration",
    description:
      "Duration of a pipeline run grouped by pipeline, state and result.",
    unit: "s",
    histogram: {
      aggregationTemporality: CUMULATIVE,
      dataPoints: [...series.values()].map(({ attributes, values }) => ({
        startTimeUnixNano: start,
        timeUnixNano: end,
        count: String(values.length),
        sum: values.reduce((sum, each) => sum + each, 0),
        min: values.reduce((least, each) => Math.min(least, each), Infinity),
        max: values.reduce((most, each) => Math.max(most, each), 0),
        explicitBounds: BOUNDS,
        bucketCounts: bucketsOf(values).map(String),
        attributes: attributesOf(attributes),
      })),
    },
  };
}

/**
 * Returns the start of the first event's day. Events are added behind it, so it stays the same until old days are
 * pruned: then counting starts again.
 */
function firstDayOf({ first = 0 }: EventLog): Instant {
  return Math.floor(first / DAY_MS) * DAY_MS;
}

/**
 * Returns the number of values per bucket. A value that equals a bound is in the bucket below it; the last bucket has the
 * values above all bounds.
 */
function bucketsOf(values: readonly number[]): readonly number[] {
  const counts = Array<number>(BOUNDS.length + 1).fill(0);
  for (const value of values) {
    const place = BOUNDS.findIndex((bound) => value <= bound);
    const index = place < 0 ? BOUNDS.length : place;
    counts[index] = (counts[index] ?? 0) + 1;
  }
  return counts;
}

function repositoryOf(repository: string, server: string): Attributes {
  return {
    "vcs.repository.name": repository.slice(repository.indexOf("/") + 1),
    "vcs.owner.name": repository.slice(0, repository.indexOf("/")),
    "vcs.repository.url.full": `${server}/${repository}`,
  };
}

/** Returns a 64-bit number as text, as OTLP's JSON requires. */
function nanoseconds(ms: number): string {
  return String(BigInt(ms) * 1_000_000n);
}

function attributesOf(attributes: Attributes) {
  return Object.entries(attributes).map(([key, value]) => ({
    key,
    value:
      typeof value === "number"
        ? { intValue: String(value) }
        : { stringValue: value },
  }));
}
