import { mkdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import type { Unit, YarnProject } from "@skein/runner";
import { printable } from "@skein/reporting";
import type { Plan, PlannedUnit } from "../plan.js";
import { runnerNamed } from "../runners/find-runner.js";
import type { PreparedRun } from "../runners/test-runner.js";
import type { DispatchWorld } from "../world.js";
import {
  chooseFiles,
  mayRunPart,
  shardsOf,
  wantsPart,
} from "./choose-files.js";
import type { LastRun } from "./choose-files.js";
import { judgingWords, probeSettings, settingsOf } from "./probe.js";
import type { Answer } from "./probe.js";

export interface RunnerRunsOptions {
  readonly plan: Plan;
  readonly yarn: YarnProject;
  /** The job's units as the checkout defines them, by the `whole` of the plan. */
  readonly scripts: ReadonlyMap<string, Unit>;
  /** A temporary folder for this job. */
  readonly temp: string;
}

/** The runs of Jest, Vitest and Playwright in one job. */
export interface RunnerRuns {
  /**
   * Prepares the next run of units: chooses the files, and the place of the report.
   * @returns the runs by id, without units of other programs
   */
  prepare(
    units: readonly PlannedUnit[],
    lastRun: (id: string) => LastRun | undefined,
  ): Promise<ReadonlyMap<string, PreparedRun>>;
  /** Returns whether the unit's program fails to show its settings. */
  isRefused(unit: PlannedUnit): Promise<boolean>;
  /** Returns whether a shard runs all files, because its settings judge the whole run. */
  isWhole(unit: PlannedUnit): boolean;
  /** Returns the folder of a unit's package, absolute and with links resolved, as in the paths of reports. */
  folderOf(unit: PlannedUnit): string;
}

/** Opens the runs of a job. Folders come from the checkout, never from the plan. */
export async function openRunnerRuns(
  { now, signal, stderr }: Pick<DispatchWorld, "now" | "signal" | "stderr">,
  { plan, yarn, scripts, temp }: RunnerRunsOptions,
): Promise<RunnerRuns> {
  const siblings = shardsOf(plan);
  const answers = new Map<string, Answer>();
  const folders = new Map(
    await Promise.all(
      [...scripts].map(
        async ([whole, { dir }]) =>
          [whole, await realpath(join(yarn.root, dir))] as const,
      ),
    ),
  );
  const folderOf = ({ whole }: PlannedUnit) => folders.get(whole) ?? yarn.root;
  let probes = 0;
  const probe = async (units: readonly PlannedUnit[]) => {
    const asked = new Map(units.map((unit) => [unit.whole, unit]));
    const found = [...asked.values()].flatMap(({ whole, runner: name }) => {
      const runner = runnerNamed(name);
      const unit = answers.has(whole) ? undefined : scripts.get(whole);
      return runner && unit ? [{ ...unit, runner }] : [];
    });
    const folder = join(temp, `settings-${probes++}`);
    const options = { project: yarn, folder, concurrency: 1, signal, now };
    const shown = await probeSettings(found, options);
    for (const { id } of found) answers.set(id, shown.get(id) ?? "unknown");
  };
  const isWhole = ({ whole, shard }: PlannedUnit) =>
    shard !== null && !mayRunPart(settingsOf(answers.get(whole)));

  let rounds = 0;
  return {
    async prepare(units, lastRun) {
      const round = rounds++;
      const known = units.flatMap((unit) => {
        const runner = runnerNamed(unit.runner);
        return runner ? [{ unit, runner }] : [];
      });
      const parts = known.filter(({ unit }) =>
        wantsPart({ unit, last: lastRun(unit.id) }),
      );
      const first = known.filter(({ runner }) => runner.asksFirst);
      await probe([...parts, ...first].map(({ unit }) => unit));
      for (const { unit, runner } of round === 0 ? parts : [])
        if (isWhole(unit))
          stderr.write(
            `note: ${printable(unit.id)} runs as a whole, because ${judgingWords(runner, answers.get(unit.whole))}\n`,
          );
      return new Map(
        await Promise.all(
          known.map(async ({ unit, runner }, index) => {
            const folder = join(temp, String(round), String(index));
            await mkdir(folder, { recursive: true });
            const settings = settingsOf(answers.get(unit.whole));
            const choice = chooseFiles({
              unit,
              folder: folderOf(unit),
              siblings,
              last: lastRun(unit.id),
              settings,
            });
            const run = await runner.prepareRun(folder, choice, settings);
            return [unit.id, run] as const;
          }),
        ),
      );
    },
    async isRefused(unit) {
      await probe([unit]);
      return answers.get(unit.whole) === "refused";
    },
    isWhole,
    folderOf,
  };
}
