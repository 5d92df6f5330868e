import type { DispatchSettings } from "@skein/workspaces";
import type { TraceRun } from "../../history/traces.js";

/** A unit that may be traced. */
export interface Traceable {
  /** `package#script`. */
  readonly whole: string;
  /** The package's name. */
  readonly workspace: string;
  readonly script: string;
  /** Its expected duration in milliseconds. */
  readonly ms: number;
}

/** The overhead of recording, and of empty caches (docs/trace.md, "Cost"). */
const OVERHEAD = 1.6;

/**
 * Chooses the units that this run traces: those that were never traced first, then those whose trace is the oldest,
 * all of one script, because the next script would find the files that this one made. It chooses at least one if the
 * last recording is long enough ago. Pure.
 * @param runs earlier recordings in the same environment, in any order
 * @param now milliseconds since 1970
 */
export function chooseTraces(
  units: readonly Traceable[],
  runs: readonly Pick<TraceRun, "at" | "units">[],
  { everyHours, budgetSeconds }: DispatchSettings["traces"],
  now: number,
): readonly Traceable[] {
  if (budgetSeconds === 0) return [];
  const tracedAt = new Map<string, number>();
  for (const { at, units: traced } of runs)
    for (const { unit } of traced)
      tracedAt.set(unit, Math.max(Date.parse(at), tracedAt.get(unit) ?? 0));
  const last = Math.max(0, ...runs.map(({ at }) => Date.parse(at)));
  if (now - last < everyHours * 3_600_000) return [];
  const at = ({ whole }: Traceable) => tracedAt.get(whole) ?? 0;
  const sorted = units.toSorted(
    (a, b) => at(a) - at(b) || (a.whole < b.whole ? -1 : 1),
  );
  const [first] = sorted;
  const chosen: Traceable[] = [];
  let left = budgetSeconds * 1000;
  for (const unit of sorted) {
    const ms = unit.ms * OVERHEAD;
    if (unit.script !== first?.script || (ms > left && chosen.length > 0))
      continue;
    chosen.push(unit);
    left -= ms;
  }
  return chosen;
}
