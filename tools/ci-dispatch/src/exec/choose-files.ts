import type { Plan, PlannedUnit } from "../plan.js";
import type { Choice } from "./jest-sequencer.js";
import type { JestSettings } from "./whole-run.js";

/** The end of a unit's run, as far as it allows to run less the next time. */
export interface LastRun {
  readonly failedFiles: readonly string[];
  readonly attempt: { readonly exitCode: number | null };
}

/** What is known when a unit of Jest is about to run. */
export interface ChooseInput {
  readonly unit: Pick<PlannedUnit, "whole" | "shard">;
  /** The package's, absolute, links resolved. */
  readonly folder: string;
  /** The files of every shard of the plan, by `whole`. */
  readonly siblings: ReadonlyMap<string, readonly (readonly string[])[]>;
  /** Undefined before the first run. */
  readonly last: LastRun | undefined;
  /** Undefined where Jest does not show them. */
  readonly settings: JestSettings | undefined;
}

/** Whether only a part of a unit's test files may be wanted, so that Jest's settings matter. Pure. */
export function wantsPart({
  unit,
  last,
}: Pick<ChooseInput, "unit" | "last">): boolean {
  return unit.shard !== null || (last?.failedFiles.length ?? 0) > 0;
}

/** Whether the settings let each test file be judged by itself. Unknown settings do not. Pure. */
export function mayRunPart(
  settings: JestSettings | undefined,
): settings is JestSettings {
  return settings?.judging.length === 0;
}

/**
 * Chooses the test files of one run: those that failed, those of its shard, or all. Pure. A unit is run whole where
 * anything judges its whole run; the failed files alone are run again only where nothing but they failed the run.
 * @returns undefined for all that Jest finds
 */
export function chooseFiles({
  unit,
  folder,
  siblings,
  last,
  settings,
}: ChooseInput): Choice | undefined {
  if (!mayRunPart(settings)) return undefined;
  const failed = last?.failedFiles ?? [];
  if (failed.length > 0 && last?.attempt.exitCode === settings.failureExitCode)
    return { folder, shards: [failed], mine: 0, only: true };
  if (!unit.shard) return undefined;
  return {
    folder,
    shards: siblings.get(unit.whole) ?? [],
    mine: unit.shard.index - 1,
    only: false,
  };
}

/** Collects the files of every shard of a unit, in order of shard, over all jobs. */
export function shardsOf({
  jobs,
}: Pick<Plan, "jobs">): ReadonlyMap<string, readonly (readonly string[])[]> {
  const found = new Map<string, (readonly string[])[]>();
  for (const { whole, shard } of jobs.flatMap(({ units }) => units)) {
    if (!shard) continue;
    const list = found.get(whole) ?? [];
    list[shard.index - 1] = shard.files;
    found.set(whole, list);
  }
  return found;
}
