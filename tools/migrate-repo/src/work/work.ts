import {
  openJournal,
  type Journal,
  type JournalFile,
  type Landing,
  type Merging,
} from "../landing/journal.js";
import { landBack } from "../landing/land-back.js";
import {
  mayHaveLost,
  storeState,
  type StoreState,
} from "../landing/land-objects.js";
import { landForward } from "../landing/land.js";
import {
  leftFilesWords,
  stuck,
  rolledBackFailure,
} from "../landing/landing-failure.js";
import { newObjects } from "../landing/stage.js";
import type { SourceAddress } from "../migration.js";
import { openQuarantine, type Quarantine } from "../quarantine/quarantine.js";
import { beginMerge } from "./merge-in-progress.js";
import type { TargetFacts } from "../survey/target.js";
import type { MigrateWorld } from "../world.js";

/** A migration in its quarantine. Disposal removes the quarantine. */
export interface Work extends AsyncDisposable {
  readonly quarantine: Quarantine;
  /**
   * Writes the journal and lands. If the landing fails, it is rolled back.
   * @throws the error of the landing; if the rollback fails too, the journal stays for `continue` and `abort`
   */
  land(landing: Landing, name: string): Promise<void>;
  /** Leaves a merge with conflicts to the user; the journal stays for `continue` and `abort`. */
  merge(
    merging: Omit<Merging, "objects">,
    name: string,
    settled: readonly string[],
    moreObjects: Merging["objects"],
  ): Promise<void>;
}

/** One run of the tool: one journal, and a quarantine for each source. Disposal removes them. */
export interface WorkRun extends AsyncDisposable {
  open(address: SourceAddress, options?: OpenOptions): Promise<Work>;
}

export interface OpenOptions {
  /** The command line that `continue` repeats if nothing has landed. Default: the original one. */
  readonly argv?: readonly string[];
  /** Whether the source will be cloned into the quarantine, which isn't a repository before that. Default: no. */
  readonly forClone?: boolean;
}

export interface RunOptions {
  /** The run's name in the journal. */
  readonly name: string;
  readonly dryRun: boolean;
  /** Whether the run continues after a landing. */
  readonly many: boolean;
}

/**
 * Opens a run. A dry run uses the system's folder for temporary files and has no journal: it writes nothing to the
 * repository.
 */
export async function openRun(
  world: MigrateWorld,
  target: TargetFacts,
  { name, dryRun, many }: RunOptions,
): Promise<WorkRun> {
  const journal = dryRun ? undefined : openJournal(target.commonDir);
  const building = {
    version: 1,
    name,
    pid: world.pid,
    argv: world.argv,
    quarantine: undefined,
    stage: { kind: "building" },
  } as const satisfies Journal;
  await journal?.clearAway(world.isAlive);
  await journal?.begin(building);
  const opened: Opened[] = [];
  const state: RunState = {
    world,
    target,
    many,
    journal,
    building,
    store: await storeState(target.objects),
  };
  return {
    async open(address, { argv = world.argv, forClone = false } = {}) {
      const quarantine = await openQuarantine({
        parent: journal?.folder,
        target,
        env: world.env,
        address,
        forClone,
      });
      const one = { quarantine, argv, stays: false };
      opened.push(one);
      return {
        quarantine,
        land: (landing, name) => land(state, one, landing, name),
        async merge(merging, name, settled, moreObjects) {
          const whole = {
            ...merging,
            objects: [
              ...(await newObjects(quarantine, target.objects)),
              ...moreObjects,
            ],
          };
          await write(state, one, name, { kind: "merging", merging: whole });
          one.stays = true;
          await beginMerge(target, whole, settled);
        },
        async [Symbol.asyncDispose]() {
          if (one.stays) quarantine.close();
          else await quarantine[Symbol.asyncDispose]();
        },
      };
    },
    async [Symbol.asyncDispose]() {
      for (const { quarantine } of opened) quarantine.close();
      if (opened.some(({ stays }) => stays)) return;
      for (const { quarantine } of opened)
        await quarantine[Symbol.asyncDispose]();
      await journal?.end();
    },
  };
}

interface Opened {
  readonly quarantine: Quarantine;
  readonly argv: readonly string[];
  /** Whether `continue` or `abort` needs its files. */
  stays: boolean;
}

interface RunState {
  readonly world: MigrateWorld;
  readonly target: TargetFacts;
  readonly many: boolean;
  readonly journal: JournalFile | undefined;
  readonly building: Journal;
  /** The state of the target's object database when the quarantine started to use it. */
  store: StoreState;
}

async function write(
  { journal, building }: RunState,
  { quarantine, argv }: Opened,
  name: string,
  stage: Journal["stage"],
): Promise<void> {
  await journal?.update({
    ...building,
    argv,
    name,
    quarantine: quarantine.scratch,
    stage,
  });
}

async function land(
  state: RunState,
  one: Opened,
  landing: Landing,
  name: string,
): Promise<void> {
  const { world, target, journal, many, building } = state;
  const { checkpoint } = world;
  // The journal records the end before the files of the quarantine are removed.
  const over = async (outcome: "landed" | "taken-back") => {
    one.stays = false;
    const head = outcome === "landed" ? landing.newHead : undefined;
    if (many) await journal?.update(building);
    else await write(state, one, name, { kind: "over", outcome, head });
    checkpoint("over");
  };
  await write(state, one, name, { kind: "landing", landing });
  one.stays = true;
  try {
    const now = await storeState(target.objects);
    await landForward(target, landing, {
      checkpoint,
      mayLackObjects: mayHaveLost(state.store, now),
    });
  } catch (error) {
    let left: readonly string[];
    try {
      left = await landBack(target, landing, { checkpoint, leaveEdited: true });
    } catch (back) {
      throw stuck(error, back);
    }
    await over("taken-back");
    world.stderr.write(leftFilesWords(left));
    throw rolledBackFailure(error);
  }
  await over("landed");
  state.store = await storeState(target.objects);
}

/** Opens a run for one source. */
export async function openWork(
  world: MigrateWorld,
  target: TargetFacts,
  address: SourceAddress,
  dryRun: boolean,
  options?: Pick<OpenOptions, "forClone">,
): Promise<Work> {
  const { credentials, fetchFrom } = address;
  // A URL's credentials are never written to disk.
  const argv =
    credentials === undefined
      ? world.argv
      : world.argv.map((arg) =>
          arg.endsWith(fetchFrom.replace(/^[^/]+:\/\//, "")) ? fetchFrom : arg,
        );
  const run = await openRun({ ...world, argv }, target, {
    name: address.shown,
    dryRun,
    many: false,
  });
  try {
    const work = await run.open(address, options);
    return {
      ...work,
      [Symbol.asyncDispose]: () => run[Symbol.asyncDispose](),
    };
  } catch (error) {
    await run[Symbol.asyncDispose]();
    throw error;
  }
}
