import {
  eventId,
  formatEvent,
  mergeEvents,
  parseEvents,
} from "@skein/delivery-metrics";
import type { DeliveryEvent, Instant } from "@skein/delivery-metrics";
import { dayOf, readDays, withEvents } from "@skein/metrics-store";
import type { StoredFiles } from "@skein/metrics-store";
import { FAILURES } from "../failure-classes.js";
import type { Verdict } from "../verdict.js";

/** GitHub allows re-runs for 30 days. One more day allows for clocks that differ. */
const RERUN_MS = 31 * 86_400_000;

/**
 * Returns the delivery events of a verdict: the plan's selection, and the result. Pure.
 * @param repository `owner/name`
 * @returns an empty list if the verdict has no commit
 */
export function deliveryOf(
  { plan, head, units, selection, setups = {} }: Verdict,
  repository: string,
  at: Instant,
): readonly DeliveryEvent[] {
  if (head === null) return [];
  const about = { at, repository, plan, sha: head, pull: null };
  const wholes = (is: (unit: Verdict["units"][number]) => boolean) => [
    ...new Set(units.filter(is).map(({ whole }) => whole)),
  ];
  return [
    ...(selection
      ? [{ kind: "jobs-selected" as const, ...about, ...selection }]
      : []),
    {
      kind: "run-judged",
      ...about,
      units: wholes(() => true).length,
      flaky: wholes(({ state }) => state === "flaky"),
      infrastructure: wholes(
        ({ failure }) =>
          failure !== null && FAILURES[failure.class].blame === "machine",
      ),
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
  const told = texts.flatMap(({ text }) =>
    parseEvents(mentioning(text, events)).events.filter((event) =>
      ids.has(eventId(event)),
    ),
  );
  const known = new Map(
    mergeEvents(told).map((event) => [eventId(event), event]),
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

/** A store has a hundred thousand lines, and only those of one plan matter. */
function mentioning(text: string, events: readonly DeliveryEvent[]): string {
  const plans = events.flatMap((event) =>
    "plan" in event ? [event.plan] : [],
  );
  return text
    .split("\n")
    .filter((line) => plans.some((plan) => line.includes(plan)))
    .join("\n");
}
