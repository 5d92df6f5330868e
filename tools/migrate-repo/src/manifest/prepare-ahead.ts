import pLimit from "p-limit";
import { prepare, type Prepared } from "../add/prepare.js";
import type { TargetFacts } from "../survey/target.js";
import type { WorkRun } from "../work/work.js";
import type { MigrateWorld } from "../world.js";
import type { SourceLook } from "./look-at-sources.js";

/** Sources that are being prepared while others land. Stops what it has begun when it is disposed of. */
export interface Ahead extends AsyncDisposable {
  /** Waits until a source is ready. @returns undefined where nothing could be prepared @throws what went wrong with it */
  take(look: SourceLook): Promise<Prepared | undefined>;
}

export interface AheadOptions {
  /** How many at once. */
  readonly concurrency: number;
  readonly dryRun: boolean;
  /** The target as it was at the beginning: its turn looks again. */
  readonly target: TargetFacts;
}

/** Begins to prepare sources, several at once, the first ones first. */
export function prepareAhead(
  world: MigrateWorld,
  run: WorkRun,
  looks: readonly SourceLook[],
  { concurrency, dryRun, target }: AheadOptions,
): Ahead {
  const limit = pLimit(concurrency);
  let isOver = false;
  const begun = new Map(
    looks.map((look) => [
      look,
      limit(async () =>
        isOver || world.signal.aborted
          ? undefined
          : prepare(world, run, look.request, { dryRun, target }),
      ),
    ]),
  );
  // Its turn tells what went wrong.
  for (const one of begun.values()) one.catch(() => undefined);
  return {
    async take(look) {
      const one = begun.get(look);
      // Nothing holds a source after its turn.
      begun.delete(look);
      return one;
    },
    async [Symbol.asyncDispose]() {
      isOver = true;
      await Promise.allSettled(begun.values());
    },
  };
}
