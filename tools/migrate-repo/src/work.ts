import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  openJournal,
  type Journal,
  type Landing,
  type Merging,
} from "./landing/journal.js";
import { landBack, landForward } from "./landing/land.js";
import { newObjects } from "./landing/stage.js";
import type { SourceAddress } from "./migration.js";
import { openQuarantine, type Quarantine } from "./quarantine.js";
import { beginMerge } from "./sync/merge-in-progress.js";
import type { TargetFacts } from "./survey/target.js";
import type { MigrateWorld } from "./world.js";

/** A migration at work, in its quarantine; that goes away when it is disposed of. */
export interface Work extends AsyncDisposable {
  readonly quarantine: Quarantine;
  /**
   * Lands, journal first. When the landing fails it is taken back.
   * @throws what made it fail; if even the way back fails, the journal stays for `continue` and `abort`
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

/** One run of the tool: one journal, and a quarantine for each source it brings. Both go away when it is disposed of. */
export interface WorkRun extends AsyncDisposable {
  open(address: SourceAddress, options?: OpenOptions): Promise<Work>;
}

export interface OpenOptions {
  /** What `continue` types where nothing has landed. Default: what was typed. */
  readonly argv?: readonly string[];
  /** Whether the source will be cloned into the quarantine, which is no repository until then. Default: no. */
  readonly forClone?: boolean;
}

export interface RunOptions {
  /** What a journal calls the run. */
  readonly name: string;
  readonly dryRun: boolean;
  /** Whether the run goes on after a landing. */
  readonly many: boolean;
}

/**
 * Begins. A dry run works in the system's folder for temporary files and has no journal: it writes nothing into the
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
  await journal?.begin(building);
  const opened: { readonly quarantine: Quarantine; stays: boolean }[] = [];
  return {
    async open(address, { argv = world.argv, forClone = false } = {}) {
      const quarantine = await openQuarantine({
        parent: journal?.folder ?? join(tmpdir(), "skein-migrate"),
        targetObjects: target.objects,
        objectFormat: target.objectFormat,
        env: world.env,
        forClone,
        ...(address.credentials !== undefined && {
          credentials: { url: address.fetchFrom, secret: address.credentials },
        }),
      });
      const one = { quarantine, stays: false };
      opened.push(one);
      const write = (name: string, stage: Journal["stage"]) =>
        journal?.update({
          ...building,
          argv,
          name,
          quarantine: quarantine.scratch,
          stage,
        });
      return {
        quarantine,
        async land(landing, name) {
          await write(name, { kind: "landing", landing });
          one.stays = true;
          try {
            await landForward(target, landing, world.checkpoint);
          } catch (error) {
            await landBack(target.git, landing);
            one.stays = false;
            if (many) await journal?.update(building);
            throw error;
          }
          one.stays = false;
          if (many) await journal?.update(building);
        },
        async merge(merging, name, settled, moreObjects) {
          const whole = {
            ...merging,
            objects: [
              ...(await newObjects(quarantine.objects, target.objects)),
              ...moreObjects,
            ],
          };
          await write(name, { kind: "merging", merging: whole });
          one.stays = true;
          await beginMerge(target, whole, settled);
        },
        async [Symbol.asyncDispose]() {
          if (one.stays) quarantine.close();
          else await quarantine.remove();
        },
      };
    },
    async [Symbol.asyncDispose]() {
      for (const { quarantine } of opened) quarantine.close();
      if (opened.some(({ stays }) => stays)) return;
      for (const { quarantine } of opened) await quarantine.remove();
      await journal?.end();
    },
  };
}

/** Begins a run for one source. */
export async function openWork(
  world: MigrateWorld,
  target: TargetFacts,
  address: SourceAddress,
  dryRun: boolean,
  options?: Pick<OpenOptions, "forClone">,
): Promise<Work> {
  const { credentials, fetchFrom } = address;
  // A URL's credentials are never written down.
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
