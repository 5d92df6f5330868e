import {
  eventId,
  formatEvent,
  mergeEvents,
  parseEvents,
} from "@skein/delivery-metrics";
import type { DeliveryEvent, Instant } from "@skein/delivery-metrics";
import { dayOf, readDays, withEvents } from "@skein/metrics-store";
import type { StoredFiles } from "@skein/metrics-store";
import { isOfMachine } from "../failure-classes.js";
import { MOST_PUSHES, pushOf } from "../own-runs/attested-by.js";
import type { EarlierPush } from "../plan.js";
import { isFalseHit } from "../render/reused-lines.js";
import type { Verdict } from "../verdict.js";

/** GitHub allows re-runs for 30 days. One more day allows for clocks that differ. */
const RERUN_MS = 31 * 86_400_000;

/**
 * Returns the delivery events of a verdict: the plan's selection, and the result. Pure.
 * @param repository `owner/name`
 * @returns an empty list if the verdict has no commit
 */
export function deliveryOf(
  verdict: Verdict,
  repository: string,
  at: Instant,
): readonly DeliveryEvent[] {
  const { plan, head, units, selection, setups = {} } = verdict;
  if (head === null) return [];
  const about = { at, repository, plan, sha: head, pull: null };
  const wholes = (is: (unit: Judged) => boolean) => wholesOf(units.filter(is));
  return [
    ...(selection
      ? [{ kind: "jobs-selected" as const, ...about, ...selection }]
      : []),
    {
      kind: "run-judged",
      ...about,
      units: wholes(() => true).length,
      flaky: wholes(({ state }) => state === "flaky"),
      infrastructure: wholes(({ failure }) => isOfMachine(failure)),
      failed: wholes(({ state }) => state === "failed"),
      setupMs: medianSetup(setups) ?? null,
    },
  ];
}

/** Returns the median of the machines' set-up times in milliseconds; undefined without any. */
export function medianSetup(
  setups: Readonly<Record<string, number>>,
): number | undefined {
  const sorted = Object.values(setups).sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

/**
 * Returns the units that a run of the default branch or its merge queue reused, and those that it checked. Pure.
 * @param run id of the workflow run
 * @returns an empty list if it neither reused nor checked a unit
 */
export function reuseOf(
  verdict: Verdict,
  where: {
    readonly repository: string;
    readonly run: string;
    readonly at: Instant;
  },
): readonly DeliveryEvent[] {
  const { head, units } = verdict;
  const { repository, at } = where;
  const run = Number(where.run);
  const checks = units.filter(({ recheck }) => recheck !== undefined);
  const checked = wholesOf(checks.filter((unit) => !isByEvidence(unit)));
  const evidenceChecked = wholesOf(checks.filter(isByEvidence));
  const about = { commit: head ?? "", run: where.run, at: "" };
  const { units: selected, reused, reusedMs } = pushOf(verdict, about);
  const hits = units.filter(isFalseHit);
  const falseHits = hits.filter((unit) => !isByEvidence(unit));
  if (head === null || !isRunId(run) || reused + checks.length === 0) return [];
  return [
    {
      ...{ kind: "units-reused", at, repository, run, sha: head },
      ...{ pull: null, first: false, units: selected, reused, reusedMs },
      checked: checked.length,
      falseHits: wholesOf(falseHits),
      falseHitFields: falseHits.flatMap(({ whole, fields }) =>
        fields
          ? {
              unit: whole,
              fields: Object.entries(fields).map(([name, hash]) => ({
                name,
                hash,
              })),
            }
          : [],
      ),
      evidenceChecked: evidenceChecked.length,
      wrongEvidence: wholesOf(hits.filter(isByEvidence)),
    },
  ];
}

type Judged = Verdict["units"][number];

/** Returns whether evidence, and not a fingerprint, would have left a checked unit out. */
function isByEvidence({ recheck }: Judged): boolean {
  return recheck?.by === "trace";
}

/** Returns the names of units. Shards of a unit count once. */
function wholesOf(units: readonly Judged[]): readonly string[] {
  return [...new Set(units.map(({ whole }) => whole))];
}

/**
 * Returns the units that the pushes of a merged pull request reused. Pure.
 * @param pushes oldest first
 */
export function reuseOfPull(
  pushes: readonly EarlierPush[],
  { repository, pull }: { readonly repository: string; readonly pull: number },
): readonly DeliveryEvent[] {
  return pushes
    .slice(-MOST_PUSHES)
    .flatMap((push, index): readonly DeliveryEvent[] => {
      const [run, at] = [Number(push.run), Date.parse(push.at)];
      const { commit: sha, units, reused, reusedMs } = push;
      if (!isRunId(run) || Number.isNaN(at) || !/^[0-9a-f]{40,64}$/.test(sha))
        return [];
      return [
        {
          ...{ kind: "units-reused", at, repository, run, sha, pull },
          ...{ first: index === 0, units, reused, reusedMs },
          ...{ checked: 0, falseHits: [], falseHitFields: [] },
          ...{ evidenceChecked: 0, wrongEvidence: [] },
        },
      ];
    });
}

function isRunId(run: number): boolean {
  return Number.isSafeInteger(run) && run > 0;
}

/**
 * Returns the changed files of a store after adding these events. It skips events that the store already has and that
 * differ only in their time, such as those of a re-run.
 */
export async function withDelivery(
  files: StoredFiles,
  events: readonly DeliveryEvent[],
): Promise<ReadonlyMap<string, Buffer | undefined>> {
  if (events.length === 0) return new Map();
  const ids = new Set(events.map(eventId));
  const first = Math.min(...events.map(({ at }) => at)) - RERUN_MS;
  const { texts } = await readDays(files, dayOf({ at: first }));
  const stored = texts.flatMap(({ text }) =>
    parseEvents(mentioning(text, events)).events.filter((event) =>
      ids.has(eventId(event)),
    ),
  );
  const known = new Map(
    mergeEvents(stored).map((event) => [eventId(event), event]),
  );
  return withEvents(
    files,
    events.filter((event) => {
      const before = known.get(eventId(event));
      return (
        !before ||
        formatEvent({ ...event, at: before.at }) !== formatEvent(before)
      );
    }),
  );
}

/** Returns the lines about the same plans and runs as the events. A store has a hundred thousand lines, and few matter. */
function mentioning(text: string, events: readonly DeliveryEvent[]): string {
  const words = events.flatMap((event) =>
    "plan" in event
      ? [event.plan]
      : event.kind === "units-reused"
        ? [`"run":${event.run}`]
        : [],
  );
  return text
    .split("\n")
    .filter((line) => words.some((word) => line.includes(word)))
    .join("\n");
}
