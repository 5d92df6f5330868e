import type { Plan, PlannedUnit } from "../plan.js";
import type { Choice } from "../runners/choose-tests.js";
import type { RunSettings } from "../runners/test-runner.js";

/** The end of a unit's last run. It determines whether the next run can be smaller. */
export interface LastRun {
  readonly failedFiles: readonly string[];
  readonly attempt: { readonly exitCode: number | null };
}

/** The facts that are available when a unit is about to run whose test files can be chosen. */
export interface ChooseInput {
  readonly unit: Pick<PlannedUnit, "whole" | "shard">;
  /** The package's folder, absolute, with links resolved. */
  readonly folder: string;
  /** The files of each shard of the plan, by `whole`. */
  readonly siblings: ReadonlyMap<string, readonly (readonly string[])[]>;
  /** Undefined before the first run. */
  readonly last: LastRun | undefined;
  /** Undefined if the program doesn't show them. */
  readonly settings: RunSettings | undefined;
}

/** Returns whether a unit may need only some of its test files, so that the program's settings matter. Pure. */
export function wantsPart({
  unit,
  last,
}: Pick<ChooseInput, "unit" | "last">): boolean {
  return unit.shard !== null || (last?.failedFiles.length ?? 0) > 0;
}

/** Returns whether the settings judge each test file by itself. Unknown settings don't. Pure. */
export function mayRunPart(
  settings: RunSettings | undefined,
): settings is RunSettings {
  return settings?.judging.length === 0;
}

/**
 * Chooses the test files of one run: those that failed, those of its shard, or all. Pure. If a setting judges the run
 * as a whole, all files run. Only the failed files run again if nothing else failed the run.
 * @returns undefined for all files that the program finds
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
  const mine = (unit.shard?.index ?? 1) - 1;
  const shards = (unit.shard && siblings.get(unit.whole)) ?? [[]];
  if (failed.length > 0 && last?.attempt.exitCode === settings.failureExitCode)
    return {
      folder,
      shards: shards.map((_, index) => (index === mine ? failed : [])),
      mine,
      only: true,
    };
  return unit.shard ? { folder, shards, mine, only: false } : undefined;
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
