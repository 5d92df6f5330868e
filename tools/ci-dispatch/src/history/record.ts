import type { Git } from "@skein/git";
import { groupBy } from "@skein/reporting/group-by";
import { UNIT_STATES, type UnitState, type Verdict } from "../verdict.js";
import { blob, type Tip } from "./branch.js";
import { dayOf, dayOfName, STATE_FILE, unpackText } from "@skein/metrics-store";
import { medianSetup } from "./delivery.js";
import { appendDay, dayOfFile, fileOfDay } from "./days.js";
import type { HistoryEvent } from "./event.js";
import { dayOfTraces } from "./traces.js";

/** The name under which the history stores the set-up time of machines. No unit has this name. */
export const SETUP_UNIT = "(set-up)";

/** The result that the history stores for a unit whose worst shard is in each state. */
const RECORDED: Readonly<Record<UnitState, HistoryEvent["verdict"]>> = {
  passed: "passed",
  flaky: "flaky",
  recovered: "recovered",
  failed: "failed",
  // Without a duration, there is no event.
  missing: "failed",
};

/**
 * Returns the events of a verdict: one for each unit with results of all shards, with the sum of their durations, and
 * one for the median of the machines' set-up times. Pure.
 * @param at ISO 8601, UTC
 * @param run the id of the workflow run; undefined for none, and then the events have no fingerprints
 */
export function eventsOf(
  verdict: Verdict,
  at: string,
  run?: string,
): HistoryEvent[] {
  const units = groupBy(verdict.units, ({ whole }) => whole);
  const setup = medianSetup(verdict.setups ?? {});
  const commit = verdict.head ?? "";
  const setups: HistoryEvent[] =
    setup === undefined
      ? []
      : [
          {
            version: 1,
            at,
            commit,
            unit: SETUP_UNIT,
            ms: setup,
            verdict: "passed",
          },
        ];
  const ofUnits = [...units].flatMap(([unit, shards]): HistoryEvent[] => {
    // A negative duration means that the machine's clock was set back during the run, so the real duration is unknown.
    if (shards.some(({ durationMs }) => (durationMs ?? -1) < 0)) return [];
    const files: Readonly<Record<string, number>> = Object.assign(
      {},
      ...shards.map((shard) => shard.files),
    ) as Record<string, number>;
    const states = new Set(shards.map(({ state }) => state));
    return [
      {
        version: 1,
        at,
        commit,
        unit,
        ms: shards.reduce((sum, { durationMs }) => sum + (durationMs ?? 0), 0),
        verdict:
          RECORDED[
            UNIT_STATES.findLast((state) => states.has(state)) ?? "passed"
          ],
        ...(Object.keys(files).length > 0 && { files }),
        ...(run !== undefined && fingerprintOf(shards, run)),
        ...(run !== undefined &&
          verdict.colour === "green" &&
          verdict.tree !== undefined && { tree: verdict.tree, run }),
      },
    ];
  });
  return [...setups, ...ofUnits];
}

/**
 * Returns the fingerprint of a unit: `fingerprint` if all shards have the same one and passed on the first attempt,
 * otherwise `under` of the shard with the worst state.
 */
function fingerprintOf(
  shards: readonly Verdict["units"][number][],
  run: string,
): Pick<HistoryEvent, "fingerprint" | "under" | "fields" | "run"> {
  const [worst] = shards.toSorted(
    (a, b) => UNIT_STATES.indexOf(b.state) - UNIT_STATES.indexOf(a.state),
  );
  if (!worst) return {};
  const { fingerprint, under, fields } = worst;
  const known = { fields, run };
  if (under !== undefined) return { under, ...known };
  const isPassed = shards.every((shard) => shard.fingerprint === fingerprint);
  return isPassed && fingerprint !== undefined ? { fingerprint, ...known } : {};
}

/** Returns the branch's changed files after adding these events. A broken file stays as it is. */
export async function withEvents(
  git: Git,
  tip: Tip,
  events: readonly HistoryEvent[],
): Promise<ReadonlyMap<string, Buffer>> {
  const changed = new Map<string, Buffer>();
  for (const [day, list] of groupBy(events, dayOf)) {
    for (let turn = 0; ; turn++) {
      const name = fileOfDay(day, turn);
      const id = tip.files.get(name);
      const old = id === undefined ? undefined : await blob(git, id);
      const text = old === undefined ? "" : unpackText(name, old);
      if (text === undefined) continue;
      const bytes = appendDay(text, list);
      if (!old || unpackText(name, bytes) !== text) changed.set(name, bytes);
      break;
    }
  }
  return changed;
}

/**
 * Returns the files of days before this one, to delete. Pure.
 * @param metrics whether to include files of delivery metrics. They may contain the early events of a pull request that
 * was merged later. So the record of what was read is deleted too, and the next sync reads those events again.
 */
export function filesBefore(
  { files }: Tip,
  firstDay: string,
  metrics: boolean,
): ReadonlyMap<string, undefined> {
  const isBefore = (day: string | undefined) =>
    day !== undefined && day < firstDay;
  const names = [...files.keys()];
  const durations = names.filter(
    (name) => isBefore(dayOfFile(name)) || isBefore(dayOfTraces(name)),
  );
  const delivery = names.filter((name) => isBefore(dayOfName(name)));
  const all =
    metrics && delivery.length > 0
      ? [...durations, ...delivery, STATE_FILE]
      : durations;
  return new Map(
    all.filter((name) => files.has(name)).map((name) => [name, undefined]),
  );
}
