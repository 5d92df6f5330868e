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

/** A migration at work: its quarantine, and its journal if it is going to land. Goes away when it is disposed of. */
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
  ): Promise<void>;
}

/**
 * Begins. A dry run works in the system's folder for temporary files and has no journal: it writes nothing into the
 * repository.
 */
export async function openWork(
  world: MigrateWorld,
  target: TargetFacts,
  address: SourceAddress,
  dryRun: boolean,
): Promise<Work> {
  const journal = dryRun ? undefined : openJournal(target.commonDir);
  const entry: Journal = {
    version: 1,
    name: address.shown,
    pid: world.pid,
    // A URL's credentials are never written down.
    argv:
      address.credentials === undefined
        ? world.argv
        : world.argv.map((arg) =>
            arg.endsWith(address.fetchFrom.replace(/^[^/]+:\/\//, ""))
              ? address.fetchFrom
              : arg,
          ),
    quarantine: undefined,
    stage: { kind: "building" },
  };
  await journal?.begin(entry);
  let stays = false;
  const quarantine = await openQuarantine({
    parent: journal?.folder ?? join(tmpdir(), "skein-migrate"),
    targetObjects: target.objects,
    objectFormat: target.objectFormat,
    env: world.env,
    ...(address.credentials !== undefined && {
      credentials: { url: address.fetchFrom, secret: address.credentials },
    }),
  });
  await journal?.update({ ...entry, quarantine: quarantine.scratch });
  return {
    quarantine,
    async land(landing, name) {
      await journal?.update({
        ...entry,
        name,
        quarantine: quarantine.scratch,
        stage: { kind: "landing", landing },
      });
      stays = true;
      try {
        await landForward(target.git, landing, world.checkpoint);
      } catch (error) {
        await landBack(target.git, landing);
        stays = false;
        throw error;
      }
      stays = false;
    },
    async merge(merging, name, settled) {
      const whole = {
        ...merging,
        objects: await newObjects(quarantine.objects, target.objects),
      };
      await journal?.update({
        ...entry,
        name,
        quarantine: quarantine.scratch,
        stage: { kind: "merging", merging: whole },
      });
      stays = true;
      await beginMerge(target, whole, settled);
    },
    async [Symbol.asyncDispose]() {
      if (stays) return;
      await quarantine.remove();
      await journal?.end();
    },
  };
}
