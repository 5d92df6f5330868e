import { mkdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import type { Unit, YarnProject } from "@skein/runner";
import { printable } from "@skein/reporting";
import type { Plan, PlannedUnit } from "../plan.js";
import type { DispatchWorld } from "../world.js";
import {
  chooseFiles,
  mayRunPart,
  shardsOf,
  wantsPart,
} from "./choose-files.js";
import type { LastRun } from "./choose-files.js";
import { prepareJest } from "./jest-args.js";
import type { JestRun } from "./jest-args.js";
import { judgingWords, probeJest, settingsOf } from "./probe-jest.js";
import type { JestAnswer } from "./probe-jest.js";

export interface JestRunsOptions {
  readonly plan: Plan;
  readonly yarn: YarnProject;
  /** The job's units as the checkout defines them, by the `whole` of the plan. */
  readonly scripts: ReadonlyMap<string, Unit>;
  /** A temporary folder for this job. */
  readonly temp: string;
}

/** The runs of Jest in one job. */
export interface JestRuns {
  /**
   * Prepares the next run of units: chooses the files, and the place of the report.
   * @returns the runs by id, without units that don't run Jest
   */
  prepare(
    units: readonly PlannedUnit[],
    lastRun: (id: string) => LastRun | undefined,
  ): Promise<ReadonlyMap<string, JestRun>>;
  /** Returns whether Jest fails to show its settings. */
  isRefused(unit: PlannedUnit): Promise<boolean>;
  /** Returns whether a shard runs all files, because its settings judge the whole run. */
  isWhole(unit: PlannedUnit): boolean;
  /** Returns the folder of a unit's package, absolute and with links resolved, as in Jest's paths. */
  folderOf(unit: PlannedUnit): string;
}

/** Opens the runs of Jest of a job. Folders come from the checkout, never from the plan. */
export async function openJestRuns(
  { now, signal, stderr }: Pick<DispatchWorld, "now" | "signal" | "stderr">,
  { plan, yarn, scripts, temp }: JestRunsOptions,
): Promise<JestRuns> {
  const siblings = shardsOf(plan);
  const answers = new Map<string, JestAnswer>();
  const folders = new Map(
    await Promise.all(
      [...scripts].map(
        async ([whole, { dir }]) =>
          [whole, await realpath(join(yarn.root, dir))] as const,
      ),
    ),
  );
  const folderOf = ({ whole }: PlannedUnit) => folders.get(whole) ?? yarn.root;
  const probe = async (wholes: ReadonlySet<string>) => {
    const units = [...wholes].flatMap((whole) =>
      answers.has(whole) ? [] : (scripts.get(whole) ?? []),
    );
    const options = { project: yarn, concurrency: 1, signal, now };
    const found = await probeJest(units, options);
    for (const { id } of units) answers.set(id, found.get(id) ?? "unknown");
  };
  const isWhole = ({ whole, shard }: PlannedUnit) =>
    shard !== null && !mayRunPart(settingsOf(answers.get(whole)));

  let rounds = 0;
  return {
    async prepare(units, lastRun) {
      const round = rounds++;
      const jest = units.filter(({ runner }) => runner === "jest");
      const parts = jest.filter((unit) =>
        wantsPart({ unit, last: lastRun(unit.id) }),
      );
      await probe(new Set(parts.map(({ whole }) => whole)));
      for (const unit of round === 0 ? parts.filter(isWhole) : [])
        stderr.write(
          `note: ${printable(unit.id)} is run whole, since ${judgingWords(answers.get(unit.whole))}\n`,
        );
      return new Map(
        await Promise.all(
          jest.map(async (unit, index) => {
            const folder = join(temp, String(round), String(index));
            await mkdir(folder, { recursive: true });
            const choice = chooseFiles({
              unit,
              folder: folderOf(unit),
              siblings,
              last: lastRun(unit.id),
              settings: settingsOf(answers.get(unit.whole)),
            });
            return [unit.id, await prepareJest(folder, choice)] as const;
          }),
        ),
      );
    },
    async isRefused({ whole }) {
      await probe(new Set([whole]));
      return answers.get(whole) === "refused";
    },
    isWhole,
    folderOf,
  };
}
