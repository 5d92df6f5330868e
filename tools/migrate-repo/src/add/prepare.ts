import { decideEarly } from "../plan/decide.js";
import { gather, type Gathered, type GatherOptions } from "./gather.js";
import type { Committer } from "../history/make-commit.js";
import type { MigrationRequest } from "../migration.js";
import { silent } from "../words/progress.js";
import { explainSource } from "../survey/source-failure.js";
import type { TargetFacts } from "../survey/target.js";
import type { Work, WorkRun } from "../work/work.js";
import type { MigrateWorld } from "../world.js";

/** A source that was fetched, read and rewritten in its quarantine. */
export interface Prepared {
  readonly work: Work;
  readonly gathered: Gathered;
  /** The duration in milliseconds. */
  readonly took: number;
}

/**
 * Prepares a migration up to the merge, ahead of its turn. Many can be prepared at once, while others land.
 * @returns undefined if the request itself is refused; its turn reports the reason
 * @throws {Failure} if the source can't be read
 */
export async function prepare(
  world: MigrateWorld,
  run: WorkRun,
  request: MigrationRequest,
  {
    dryRun,
    target,
  }: { readonly dryRun: boolean; readonly target: TargetFacts },
): Promise<Prepared | undefined> {
  const started = world.now();
  const early = await decideEarly(request, target, world, undefined);
  if (early.kind === "refused") return undefined;
  const work = await run.open(early.address, { forClone: true });
  try {
    const gathered = await gatherFrom(request, work, {
      target,
      address: early.address,
      progress: silent,
      rewriteAs: dryRun ? undefined : committerOf(target, world),
    });
    return { work, gathered, took: world.now() - started };
  } catch (error) {
    await work[Symbol.asyncDispose]();
    throw error;
  }
}

/** Reads the source, and rewrites its history. @throws {Failure} if it can't be read */
export function gatherFrom(
  request: MigrationRequest,
  { quarantine }: Work,
  options: GatherOptions,
): Promise<Gathered> {
  return gather(request, quarantine, options).catch((error: unknown) => {
    throw explainSource(error);
  });
}

/** Returns the committer, with the current time. */
export function committerOf(
  { identity }: TargetFacts,
  { now }: Pick<MigrateWorld, "now">,
): Committer {
  if (!identity) throw new Error("refuseTarget lets no such target through");
  return { ...identity, now: now() };
}
