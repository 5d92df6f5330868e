import pLimit from "p-limit";
import { prepare, type Prepared } from "../add/prepare.js";
import type { TargetFacts } from "../survey/target.js";
import type { WorkRun } from "../work/work.js";
import type { MigrateWorld } from "../world.js";
import type { SourceLook } from "./look-at-sources.js";

/** Sources that are prepared while others land. Disposal stops the preparation. */
export interface Ahead extends AsyncDisposable {
  /**
   * Waits until a source is ready.
   * @returns undefined if nothing could be prepared
   * @throws the error of the preparation
   */
  take(look: SourceLook): Promise<Prepared | undefined>;
}

export interface AheadOptions {
  /** The number of concurrent preparations. */
  readonly concurrency: number;
  readonly dryRun: boolean;
  /** The target at the start; it is read again when a source lands. */
  readonly target: TargetFacts;
}

/** Starts to prepare sources, several at once, in their order. */
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
  // `take` reports the error.
  for (const one of begun.values()) one.catch(() => undefined);
  return {
    async take(look) {
      const one = begun.get(look);
      // Release the source's memory after its turn.
      begun.delete(look);
      return one;
    },
    async [Symbol.asyncDispose]() {
      isOver = true;
      await Promise.allSettled(begun.values());
    },
  };
}
