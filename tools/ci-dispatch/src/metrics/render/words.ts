import { showLeadTime } from "@skein/delivery-metrics";
import type {
  Change,
  ComparedP90,
  DeliveryReport,
  Distribution,
  ExclusionReason,
  FlakyName,
  Group,
  Interval,
  MeasuredPull,
  PercentInterval,
  PullRef,
  Rate,
  Stage,
  UnfinishedReason,
  Unread,
  Until,
  Window,
} from "@skein/delivery-metrics";
import { count, formatNumber } from "@skein/reporting";

/** The span of a lead time, by the event that ends it. */
export const UNTIL_WORDS: Readonly<Record<Until, string>> = {
  merged: "commit to merge",
  published: "commit to publish",
  upgraded: "commit to publish in the repository that upgrades to it",
};

/** The names of stages in text and Markdown. */
export const STAGE_WORDS: Readonly<Record<Stage, string>> = {
  draft: "draft (human)",
  review: "review (human)",
  approved: "approved (human)",
  build: "PR build",
  plan: "plan",
  "set-up": "set-up",
  judge: "judge",
  queue: "waiting for machines",
  retry: "retry loss",
  "merge-queue": "merge queue",
  "post-merge-build": "post-merge build",
  publish: "publish",
  "publish-wait": "waiting for publish",
  upgrade: "upgrade elsewhere",
};

/** The names of everything that a comparison contains. */
export const COMPARED_WORDS: Readonly<Record<Change["of"], string>> = {
  ...STAGE_WORDS,
  headline: "headline: without human waiting",
  gross: "gross",
  machine: "machine only",
  builds: "one commit's build",
};

/** The text after a number of excluded pull requests. */
export const EXCLUSION_WORDS: Readonly<Record<ExclusionReason, string>> = {
  bot: "by bots",
  "publishes-nothing": "with only packages that are never published",
  "reverted-before": "reverted before their publication",
  "run-going": "with an unfinished run",
  "no-beginning": "with an unknown start",
  "no-builds": "without a known run (counted in gross only)",
};

/** The text after a number of unfinished pull requests. */
export const UNFINISHED_WORDS: Readonly<Record<UnfinishedReason, string>> = {
  "not-published": "merged, but not yet published",
  "not-upgraded": "published, but not yet adopted elsewhere",
};

/** Renders a percentile: `69 min`, or `≥ 8.9 d` for a lower bound. */
export function showBound({
  ms,
  atLeast,
}: {
  readonly ms: number;
  readonly atLeast: boolean;
}): string {
  return `${atLeast ? "≥ " : ""}${showLeadTime(ms)}`;
}

/** Renders a duration of a pull request, as a lower bound if it has not ended. */
export function showSoFar(
  { unfinished }: Pick<MeasuredPull, "unfinished">,
  ms: number,
): string {
  return showBound({ ms, atLeast: unfinished });
}

/** Renders one side of a comparison. */
export function showCompared({ n, ms, atLeast }: ComparedP90): string {
  return ms === null ? `${n} are too few` : showBound({ ms, atLeast });
}

/** Renders a pull request: `acme/web#12`. */
export function showPull({ repository, pull }: PullRef): string {
  return `${repository}#${pull}`;
}

/** Renders the interval of a P90: `62 min to 77 min`, or `62 min or more`; empty without an interval. */
export function showInterval(interval: Interval | null): string {
  if (interval === null) return "";
  const { low, high } = interval;
  return high === null
    ? `${showLeadTime(low)} or more`
    : `${showLeadTime(low)} to ${showLeadTime(high)}`;
}

/** Renders a rate: `12.3 % (37 of 301)`, or `none ended` without any runs. */
export function showRate({ count: some, of, rate }: Rate): string {
  return rate === null
    ? "none ended"
    : `${(rate * 100).toFixed(1)} % (${formatNumber(some)} of ${formatNumber(of)})`;
}

/**
 * Renders a rate between 0 and 1: `12.5 %`. It renders 0 % and 100 % only if they are exact, otherwise `< 0.1 %` and
 * `> 99.9 %`.
 */
export function percent(rate: number): string {
  const tenths = Math.round(rate * 1000);
  if (tenths === 0 && rate > 0) return "< 0.1 %";
  if (tenths === 1000 && rate < 1) return "> 99.9 %";
  return `${tenths % 10 === 0 ? tenths / 10 : (tenths / 10).toFixed(1)} %`;
}

/** Renders the number of runs or verdicts that a name's flakes are counted in. */
export function flakedOf({ kind, of }: FlakyName): string {
  return count(of, kind === "job" ? "run" : "verdict");
}

/** Renders a change: `94.6 % less`, `3.1 % more`, `unknown`. */
export function showPercent(percent: number | null): string {
  if (percent === null) return "unknown";
  const words = Math.abs(percent).toFixed(1);
  return words === "0.0"
    ? "0.0 %"
    : `${words} % ${percent < 0 ? "less" : "more"}`;
}

/** Renders the interval of a change: `-96.1 to -92.0 %`. */
export function showPercentInterval(interval: PercentInterval | null): string {
  return interval === null
    ? ""
    : `${interval.low.toFixed(1)} to ${interval.high.toFixed(1)} %`;
}

/** Returns why a distribution has no percentiles. */
export function tooFew({ n }: Distribution, minimum: number): string {
  return n === 0 ? "none" : `fewer than ${minimum}`;
}

/** Returns the packages or owners that have a P90, and a text with the number of those that don't. */
export function enoughOf(
  groups: readonly Group[],
  most: number,
): { readonly shown: readonly Group[]; readonly rest: string } {
  const enough = groups.filter(({ headline }) => headline.values);
  const shown = enough.slice(0, most);
  const rest = [
    ...(enough.length > most ? [`${enough.length - most} more`] : []),
    ...(groups.length > enough.length
      ? [`${groups.length - enough.length} with too few pull requests`]
      : []),
  ];
  return {
    shown,
    rest:
      rest.length === 0
        ? ""
        : `${shown.length > 0 ? "… and " : ""}${rest.join(", ")}`,
  };
}

/** Returns the title of a report: `acme/web, 2026-01-05 to 2026-02-16, commit to publish`. */
export function titleOf({
  repositories,
  window,
  until,
  untilAsked,
  only,
}: DeliveryReport): string {
  const narrowed = [only.package, only.team].filter((each) => each !== null);
  return [
    repositories.length === 0 ? "no events" : repositories.join(", "),
    ...narrowed,
    windowWords(window),
    `${UNTIL_WORDS[until]}${untilAsked ? "" : ", the last known end"}`,
  ].join(", ");
}

/**
 * Returns the window of a baseline, and the event that ends both windows' lead times:
 * `42 days to 2026-01-09 00:00 UTC, both commit to publish`.
 */
export function baselineWords({
  window,
  until,
}: NonNullable<DeliveryReport["baseline"]>): string {
  return `${windowWords(window)}, both ${UNTIL_WORDS[until]}`;
}

/** Renders a window: `42 days to 2026-02-16 00:00 UTC`. */
export function windowWords({ days, to }: Window): string {
  return `${count(days, "day")} to ${showTime(to)}`;
}

/** Renders a time in UTC, without seconds or milliseconds that are zero. */
function showTime(iso: string): string {
  return iso
    .replace(/:00\.000Z$/, "Z")
    .replace("T", " ")
    .replace("Z", " UTC");
}

/** Returns which pull requests count, in sentences. */
export function coverageWords({ coverage }: DeliveryReport): readonly string[] {
  const { seen, measured, beginsWith, skewedSpans, reverted } = coverage;
  return [
    ...unreadWords(coverage.unread),
    `${formatNumber(measured)} of ${count(seen, "pull request")} measured${beginsWith.opened > 0 ? `; ${formatNumber(beginsWith.opened)} from their opening, since no earlier push is known` : ""}`,
    ...coverage.unfinished.map(
      ({ reason, count: some, pulls }) =>
        `${formatNumber(some)} of them ${UNFINISHED_WORDS[reason]}: at least their time so far${pulls[0] ? `, the newest ${showPull(pulls[0])}` : ""}`,
    ),
    ...coverage.excluded.map(
      ({ reason, count: some, pulls }) =>
        `${formatNumber(some)} ${EXCLUSION_WORDS[reason]}${pulls[0] ? `, the newest ${showPull(pulls[0])}` : ""}`,
    ),
    ...(reverted > 0 ? [`${reverted} reverted later`] : []),
    ...(skewedSpans > 0
      ? [
          `${count(skewedSpans, "span")} ended before they began, because clocks differ, and are not counted`,
        ]
      : []),
  ];
}

/** Returns which data could not be read, in sentences. */
export function unreadWords({ files, lines }: Unread): readonly string[] {
  return [
    ...files.map(
      (name) => `missing from every number: events of ${name}, which is broken`,
    ),
    ...(lines > 0
      ? [`${count(lines, "line")} of the events could not be read`]
      : []),
  ];
}

/** Returns the fields of a fingerprint, each with the beginning of its hash. */
export function fieldWords(
  fields: DeliveryReport["reuse"]["falseHitFields"][number]["fields"],
): string {
  return fields.map(({ name, hash }) => `${name} ${hash}`).join(", ");
}

/** Returns which numbers of a report are about all packages although the report is about some. */
export function scopeWords({ only }: DeliveryReport): readonly string[] {
  return (only.package ?? only.team) === null
    ? []
    : [
        "flakes, infrastructure failures, savings and reuse are those of all packages",
      ];
}

/** Returns flakes, infrastructure failures and savings, in sentences. */
export function reliabilityWords(report: DeliveryReport): readonly string[] {
  const { flakes, infrastructure, savings, reuse } = report;
  const machines = (ms: number) =>
    ms < 3_600_000
      ? `${(ms / 60_000).toFixed(1)} machine minutes`
      : `${(ms / 3_600_000).toFixed(1)} machine hours`;
  const part = ({ saved, everything }: { saved: number; everything: number }) =>
    everything === 0 ? "" : ` (${((saved / everything) * 100).toFixed(1)} %)`;
  return [
    ...scopeWords(report),
    `flaky runs: ${showRate(flakes.runs)}${flakes.units.of > 0 ? `; units: ${showRate(flakes.units)}` : ""}`,
    `infrastructure failures: ${showRate(infrastructure.attempts)}${infrastructure.units.of > 0 ? `; units: ${showRate(infrastructure.units)}` : ""}`,
    savings.plans === 0
      ? "selection: no plan is known"
      : `not run by affected selection: ${formatNumber(savings.jobs.saved)} jobs${part(savings.jobs)}, ${machines(savings.machineMs.saved)}${part(savings.machineMs)}, over ${count(savings.plans, "plan")}`,
    ...(reuse.runs === 0
      ? []
      : [
          `reused: ${count(reuse.units, "unit")}, ${machines(reuse.machineMs)}, over ${count(reuse.runs, "run")}${reuse.laterPushes.of > 0 ? `; units of later pushes: ${showRate(reuse.laterPushes)}` : ""}`,
          `false hits: ${reuse.falseHits.of === 0 ? "no unit was checked" : showRate(reuse.falseHits)}${reuse.falseHitUnits.length > 0 ? `: ${reuse.falseHitUnits.join(", ")}` : ""}`,
          ...reuse.falseHitFields.map(
            ({ unit, fields }) =>
              `false hit: ${unit} passed and failed with the same ${fieldWords(fields)}`,
          ),
          ...(reuse.wrongEvidence.of > 0
            ? [
                `wrong evidence: ${showRate(reuse.wrongEvidence)}${reuse.wrongEvidenceUnits.length > 0 ? `: ${reuse.wrongEvidenceUnits.join(", ")}` : ""}`,
              ]
            : []),
        ]),
  ];
}
