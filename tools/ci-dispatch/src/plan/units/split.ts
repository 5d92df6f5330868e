import { pack } from "../../pack/pack.js";
import type { PlannedUnit } from "../../plan.js";
import { timeoutOf, type Timed } from "./estimate.js";
import type { TimeoutSettings } from "@skein/workspaces";

export interface SplitOptions {
  /** The duration in milliseconds above which a unit is split. */
  readonly limitMs: number;
  readonly timeout: TimeoutSettings;
}

/**
 * Makes the units of a script: one unit, or shards of whole test files, balanced by the durations of the files. Pure.
 * There are never more shards than files. A script is split only if its program's test files can be chosen.
 */
export function splitUnit(timed: Timed, options: SplitOptions): PlannedUnit[] {
  const { candidate, files, ms, estimate, runner } = timed;
  const asked = candidate.step?.shards ?? Math.ceil(ms / options.limitMs);
  const count = Math.min(asked, files.size);
  const unit = (
    id: string,
    shard: PlannedUnit["shard"],
    expectedMs: number,
  ): PlannedUnit => ({
    id,
    whole: candidate.whole,
    workspace: candidate.workspace,
    dir: candidate.dir,
    script: candidate.script,
    step: candidate.step?.name ?? null,
    shard,
    runner,
    expectedMs,
    timeoutMs: timeoutOf(expectedMs, estimate, options.timeout),
    estimate,
    fingerprint: candidate.fingerprint,
    fields: candidate.fields,
    recheck: candidate.recheck,
    notReused: candidate.notReused,
    why: candidate.why,
  });
  if (count < 2) return [unit(candidate.whole, null, ms)];
  const names = [...files.keys()].sort();
  // Files with a weight of 0 could leave a shard without files.
  const weights = names.map((name) => Math.max(1, files.get(name) ?? 1));
  const { bins, loads } = pack(weights, count);
  const sum = loads.reduce((total, load) => total + load, 0);
  return loads.map((load, index) =>
    unit(
      `${candidate.whole}[${index + 1}/${count}]`,
      {
        index: index + 1,
        count,
        files: names.filter((_, file) => bins[file] === index),
      },
      Math.max(1, Math.round((ms * load) / sum)),
    ),
  );
}
