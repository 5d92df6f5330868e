import { decide, decideEarly, gather, type Gathered } from "./gather.js";
import type { Committer } from "./history/make-commit.js";
import type { MigrationRequest, SourceAddress } from "./migration.js";
import type { Plan } from "./plan.js";
import { silent, type Progress } from "./progress.js";
import {
  rewriteAlike,
  rewriteHistory,
  type Rewritten,
} from "./rewrite-history.js";
import { explainSourceError } from "./source-failure.js";
import { SourceError } from "./survey/announcement.js";
import type { TargetFacts } from "./survey/target.js";
import type { Work, WorkRun } from "./work.js";
import type { MigrateWorld } from "./world.js";

/** What a migration needs of its source: fetched, read, and where it is known how, rewritten. Its quarantine holds it. */
export interface Prepared {
  readonly work: Work;
  readonly gathered: Gathered;
  /** The history as this plan wants it: of use where the plan that is carried out rewrites alike. */
  readonly ahead:
    { readonly plan: Plan; readonly rewritten: Rewritten } | undefined;
  /** Milliseconds that it took. */
  readonly took: number;
}

/**
 * Does ahead of its turn what a migration does before it merges. Many can be prepared at once, while others land.
 * @returns undefined where the request is refused as it stands; its turn says why
 * @throws {Failure} when the source cannot be read
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
  const work = await run.open(early.address);
  try {
    const gathered = await gatherFrom(
      request,
      target,
      work,
      early.address,
      silent,
    );
    const decision =
      gathered.kind === "source" && !dryRun
        ? await decide(gathered.facts, target, work.quarantine)
        : undefined;
    const took = () => world.now() - started;
    if (decision?.kind !== "plan")
      return { work, gathered, ahead: undefined, took: took() };
    const { plan } = decision;
    const rewritten = await rewriteHistory(
      plan,
      work.quarantine,
      committerOf(target, world),
      silent,
    );
    return { work, gathered, ahead: { plan, rewritten }, took: took() };
  } catch (error) {
    await work[Symbol.asyncDispose]();
    throw error;
  }
}

/** Reads the source. @throws {Failure} when it cannot be read */
export function gatherFrom(
  request: MigrationRequest,
  target: TargetFacts,
  { quarantine }: Work,
  address: SourceAddress,
  progress: Progress,
): Promise<Gathered> {
  return gather(request, target, address, quarantine, progress).catch(
    (error: unknown) => {
      throw error instanceof SourceError ? explainSourceError(error) : error;
    },
  );
}

/** Who commits, now. */
export function committerOf(
  { identity }: TargetFacts,
  { now }: Pick<MigrateWorld, "now">,
): Committer {
  if (!identity) throw new Error("refuseTarget lets no such target through");
  return { ...identity, now: now() };
}

/** The history that was rewritten ahead, if this plan wants that very one. */
export function rewrittenFor(
  plan: Plan,
  prepared: Prepared | undefined,
): Rewritten | undefined {
  const { ahead } = prepared ?? {};
  return ahead && rewriteAlike(ahead.plan, plan) ? ahead.rewritten : undefined;
}
