import { realpath } from "node:fs/promises";
import { join } from "node:path";
import type { Unit, YarnProject } from "@skein/runner";
import { printable } from "@skein/reporting";
import type { Plan, PlannedUnit } from "../plan.js";
import { runnerNamed } from "../runners/find-runner.js";
import type { PreparedRun, TestRunner } from "../runners/test-runner.js";
import type { DispatchWorld } from "../world.js";
import {
  chooseFiles,
  mayRunPart,
  shardsOf,
  wantsPart,
} from "./choose-files.js";
import { prepareIn } from "./prepare-in.js";
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
  world: RunnerWorld,
  options: RunnerRunsOptions,
): Promise<RunnerRuns> {
  const folders = new Map(
    await Promise.all(
      [...options.scripts].map(
        async ([whole, { dir }]) =>
          [whole, await realpath(join(options.yarn.root, dir))] as const,
      ),
    ),
  );
  return new RunsOfJob(world, options, folders);
}

type RunnerWorld = Pick<DispatchWorld, "now" | "signal" | "stderr">;

class RunsOfJob implements RunnerRuns {
  readonly #world: RunnerWorld;
  readonly #options: RunnerRunsOptions;
  readonly #folders: ReadonlyMap<string, string>;
  readonly #siblings: ReturnType<typeof shardsOf>;
  readonly #answers = new Map<string, Answer>();
  #probes = 0;
  #rounds = 0;

  constructor(
    world: RunnerWorld,
    options: RunnerRunsOptions,
    folders: ReadonlyMap<string, string>,
  ) {
    this.#world = world;
    this.#options = options;
    this.#folders = folders;
    this.#siblings = shardsOf(options.plan);
  }

  async prepare(
    units: readonly PlannedUnit[],
    lastRun: (id: string) => LastRun | undefined,
  ): Promise<ReadonlyMap<string, PreparedRun>> {
    const round = this.#rounds++;
    const known = units.flatMap((unit) => {
      const runner = runnerNamed(unit.runner);
      return runner ? [{ unit, runner }] : [];
    });
    const parts = known.filter(({ unit }) =>
      wantsPart({ unit, last: lastRun(unit.id) }),
    );
    const first = known.filter(({ runner }) => runner.asksFirst);
    await this.#probe([...parts, ...first].map(({ unit }) => unit));
    if (round === 0) this.#noteWholes(parts);
    return new Map(
      await Promise.all(
        known.map(async ({ unit, runner }, index) => {
          const folder = join(this.#options.temp, String(round), String(index));
          const settings = settingsOf(this.#answers.get(unit.whole));
          const choice = chooseFiles({
            unit,
            folder: this.folderOf(unit),
            siblings: this.#siblings,
            last: lastRun(unit.id),
            settings,
          });
          const run = await prepareIn(folder, () =>
            runner.prepareRun(folder, choice, settings),
          );
          return [unit.id, run] as const;
        }),
      ),
    );
  }

  async isRefused(unit: PlannedUnit): Promise<boolean> {
    await this.#probe([unit]);
    return this.#answers.get(unit.whole) === "refused";
  }

  isWhole({ whole, shard }: PlannedUnit): boolean {
    return shard !== null && !mayRunPart(settingsOf(this.#answers.get(whole)));
  }

  folderOf({ whole }: PlannedUnit): string {
    return this.#folders.get(whole) ?? this.#options.yarn.root;
  }

  /** Asks the programs of units for their settings, once for each unit. */
  async #probe(units: readonly PlannedUnit[]): Promise<void> {
    const { yarn, scripts, temp } = this.#options;
    const { signal, now } = this.#world;
    const asked = new Map(units.map((unit) => [unit.whole, unit]));
    const found = [...asked.values()].flatMap(({ whole, runner: name }) => {
      const runner = runnerNamed(name);
      const unit = this.#answers.has(whole) ? undefined : scripts.get(whole);
      return runner && unit ? [{ ...unit, runner }] : [];
    });
    const folder = join(temp, `settings-${this.#probes++}`);
    const options = { project: yarn, folder, concurrency: 1, signal, now };
    const shown = await probeSettings(found, options);
    for (const { id } of found)
      this.#answers.set(id, shown.get(id) ?? "unknown");
  }

  /** Prints which units run as a whole, and why. */
  #noteWholes(
    parts: readonly {
      readonly unit: PlannedUnit;
      readonly runner: TestRunner;
    }[],
  ): void {
    for (const { unit, runner } of parts)
      if (this.isWhole(unit))
        this.#world.stderr.write(
          `note: ${printable(unit.id)} runs as a whole, because ${judgingWords(runner, this.#answers.get(unit.whole))}\n`,
        );
  }
}
