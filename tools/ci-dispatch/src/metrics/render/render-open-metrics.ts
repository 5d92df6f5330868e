import { MEASURES, PERCENTILES, STAGES } from "@skein/delivery-metrics";
import type { DeliveryReport, Distribution } from "@skein/delivery-metrics";

interface Sample {
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
}

/** A family of gauges. */
interface Family {
  /** If it has a unit, the name ends with it. */
  readonly name: string;
  readonly help: string;
  readonly samples: readonly Sample[];
}

/** Renders a report as OpenMetrics text 1.0, which is also Prometheus's text format. Spans are in seconds. */
export function renderOpenMetrics(report: DeliveryReport): string {
  const common = { repository: report.repositories.join(",") };
  return `${familiesOf(report)
    .filter(({ samples }) => samples.length > 0)
    .map((each) => family(each, common))
    .join("")}# EOF\n`;
}

function familiesOf(report: DeliveryReport): readonly Family[] {
  return [
    ...timeFamilies(report),
    ...coverageFamilies(report),
    ...flakeFamilies(report),
    ...doraFamilies(report),
    ...savingsFamilies(report),
    ...reuseFamilies(report),
  ];
}

/** Returns how long pull requests and their builds take. */
function timeFamilies({
  measures,
  stages,
  builds,
}: DeliveryReport): readonly Family[] {
  return [
    {
      name: "skein_lead_time_seconds",
      help: "Lead time of pull requests over the trailing window, by measure. The label at_least marks lower bounds, used if too few pull requests have ended.",
      samples: MEASURES.flatMap((measure) =>
        percentilesOf(measures[measure], { measure }),
      ),
    },
    {
      name: "skein_lead_time_p90_bound_seconds",
      help: "Bounds of the 95 % bootstrap interval of the P90.",
      samples: MEASURES.flatMap((measure) => {
        const interval = measures[measure].values?.p90Interval;
        return interval
          ? [
              sampleOf(interval.low / 1000, { measure, bound: "low" }),
              ...(interval.high === null
                ? []
                : [sampleOf(interval.high / 1000, { measure, bound: "high" })]),
            ]
          : [];
      }),
    },
    {
      name: "skein_stage_seconds",
      help: "Time of pull requests in a stage over the trailing window. Percentiles of stages do not add up.",
      samples: STAGES.flatMap((stage) =>
        percentilesOf(stages[stage], { stage }),
      ),
    },
    {
      name: "skein_build_seconds",
      help: "Duration of the build of one commit of a pull request, at its first attempt.",
      samples: percentilesOf(builds, {}),
    },
  ];
}

/** Returns the pull requests of the window, by state. */
function coverageFamilies({ coverage }: DeliveryReport): readonly Family[] {
  return [
    {
      name: "skein_pull_requests",
      help: "Pull requests of the trailing window by state: measured, unfinished, or the reason why they are excluded.",
      samples: [
        sampleOf(
          coverage.unfinished.reduce(
            (rest, { count }) => rest - count,
            coverage.measured,
          ),
          { state: "measured" },
        ),
        ...[...coverage.unfinished, ...coverage.excluded].map(
          ({ reason, count }) => sampleOf(count, { state: reason }),
        ),
      ],
    },
  ];
}

/** Returns how often runs, jobs and units fail although nothing is wrong with the change. */
function flakeFamilies({
  flakes,
  infrastructure,
}: DeliveryReport): readonly Family[] {
  return [
    {
      name: "skein_flaky_runs_ratio",
      help: "Share of ended runs with a failed attempt before one that passed. Infrastructure failures don't count.",
      samples: rateOf(flakes.runs.rate),
    },
    {
      name: "skein_flaky_ratio",
      help: "Share of the runs of a job, or the verdicts of a unit, in which it failed and then passed. Only the most frequent.",
      samples: flakes.worst.map(({ kind, name, rate }) =>
        sampleOf(rate, { kind, name }),
      ),
    },
    {
      name: "skein_infrastructure_failures_ratio",
      help: "Share of attempts of runs that failed because of infrastructure.",
      samples: rateOf(infrastructure.attempts.rate),
    },
  ];
}

/** Returns what DORA's metrics need besides lead time. */
function doraFamilies({ dora }: DeliveryReport): readonly Family[] {
  return [
    {
      name: "skein_deployments",
      help: "Publications over the trailing window that contained a measured pull request.",
      samples: dora ? [sampleOf(dora.deployments)] : [],
    },
    {
      name: "skein_change_failures_ratio",
      help: "Share of published pull requests that were reverted.",
      samples: rateOf(dora?.failures.rate ?? null),
    },
    {
      name: "skein_recovery_seconds",
      help: "Time from the publication of a reverted pull request to the publication of its revert.",
      samples: dora ? percentilesOf(dora.recovery, {}) : [],
    },
  ];
}

/** Returns what affected selection saved. */
function savingsFamilies({ savings }: DeliveryReport): readonly Family[] {
  return [
    {
      name: "skein_jobs_not_run",
      help: "Jobs that affected selection did not run over the trailing window.",
      samples: savings.plans > 0 ? [sampleOf(savings.jobs.saved)] : [],
    },
    {
      name: "skein_machine_time_not_run_seconds",
      help: "Machine time that affected selection did not use over the trailing window.",
      samples:
        savings.plans > 0 ? [sampleOf(savings.machineMs.saved / 1000)] : [],
    },
  ];
}

/** Returns what the reuse of results saved, and whether it was right. */
function reuseFamilies({ reuse }: DeliveryReport): readonly Family[] {
  return [
    {
      name: "skein_units_reused",
      help: "Units that were reused over the trailing window, because they had passed under the same fingerprint.",
      samples: reuse.runs > 0 ? [sampleOf(reuse.units)] : [],
    },
    {
      name: "skein_machine_time_reused_seconds",
      help: "Expected duration of the units that were reused over the trailing window.",
      samples: reuse.runs > 0 ? [sampleOf(reuse.machineMs / 1000)] : [],
    },
    {
      name: "skein_later_pushes_reused_ratio",
      help: "Share of the units selected by pushes after a pull request's first one that were reused.",
      samples: rateOf(reuse.laterPushes.rate),
    },
    {
      name: "skein_false_hits_ratio",
      help: "Share of failures among the reusable units that ran as a check.",
      samples: rateOf(reuse.falseHits.rate),
    },
    {
      name: "skein_wrong_evidence_ratio",
      help: "Share of failures among the units that ran as a check although evidence would have skipped them.",
      samples: rateOf(reuse.wrongEvidence.rate),
    },
  ];
}

function sampleOf(value: number, labels: Sample["labels"] = {}): Sample {
  return { labels, value };
}

/** Returns the sample of a rate; none if it is unknown. */
function rateOf(value: number | null): readonly Sample[] {
  return value === null ? [] : [sampleOf(value)];
}

/** Returns one sample for each percentile; none if there are too few values. */
function percentilesOf(
  { values }: Distribution,
  labels: Sample["labels"],
): readonly Sample[] {
  return values
    ? PERCENTILES.map((p) =>
        sampleOf(values[`p${p}`].ms / 1000, {
          ...labels,
          percentile: p,
          ...(values[`p${p}`].atLeast && { at_least: "true" }),
        }),
      )
    : [];
}

/** Renders a family. @param common labels of all samples, before their own */
function family(
  { name, help, samples }: Family,
  common: Sample["labels"],
): string {
  const [unit] = /(?:seconds|ratio)$/.exec(name) ?? [];
  return [
    `# TYPE ${name} gauge`,
    ...(unit === undefined ? [] : [`# UNIT ${name} ${unit}`]),
    `# HELP ${name} ${escape(help)}`,
    ...samples.map(
      ({ labels, value }) =>
        `${name}{${Object.entries({ ...common, ...labels })
          .map(([key, each]) => `${key}="${escape(String(each))}"`)
          .join(",")}} ${value}`,
    ),
    "",
  ].join("\n");
}

function escape(text: string): string {
  return text
    .replaceAll("\\", "\\\\")
    .replaceAll('"', '\\"')
    .replaceAll("\n", "\\n");
}
