import { count, ExitCode, Failure } from "@skein/reporting";
import { refuseTarget } from "../refusals/target.js";
import { findRecord } from "../record/find-record.js";
import type { MigrationRecord } from "../record/record-format.js";
import { pendingMigration } from "../landing/journal.js";
import { stageLanding } from "../landing/stage.js";
import { conflictsEvent, landedEvent } from "../words/events.js";
import { addressOf } from "../record/address-of.js";
import { refuse } from "../refusals/refuse.js";
import { explainSourceError } from "../survey/source-failure.js";
import { announce, SourceError } from "../survey/announcement.js";
import { surveyTarget, type TargetFacts } from "../survey/target.js";
import { openWork, type Work } from "../work/work.js";
import type { MigrateWorld } from "../world.js";
import { buildSync, type ReadySync } from "./build-sync.js";
import { compareTips, type TipDifference } from "./compare-tips.js";
import {
  renderDifferences,
  renderLeft,
  renderSync,
  syncEvent,
} from "./render-sync.js";
import { moveSource, type NewPlace } from "./move-source.js";
import { isNews, whatIsNew } from "./what-is-new.js";

type SyncOptions = NewPlace & {
  readonly dryRun: boolean;
  readonly allowSecrets: boolean;
  readonly allowLfs: boolean;
  /** Whether to report differences from the source's tip. Default: yes. */
  readonly compare?: boolean;
};

/** Merges the source's new commits, grafted onto the old ones, in an ordinary merge. */
export async function runSync(
  world: MigrateWorld,
  name: string,
  options: SyncOptions,
): Promise<number> {
  const { progress, cwd, env, print } = world;
  progress.phase("look");
  const target = await surveyTarget(cwd, env);
  const refusals = refuseTarget(
    target,
    { allow: [] },
    await pendingMigration(target.commonDir),
  );
  if (refusals.length > 0) return refuse(world, refusals);
  const moved = await moveSource(await findRecord(target, name), options, cwd);
  const { stored } = moved;
  const { record } = stored;
  const address = moved.address ?? addressOf(record.source.fetchFrom);
  const compare = async (...[git, now, head]: Parameters<typeof compareTips>) =>
    options.compare === false ? [] : compareTips(git, now, head);
  await using work = await openWork(world, target, address, options.dryRun);
  const { quarantine } = work;
  const announcement = await announce(quarantine.git, address).catch(
    (error: unknown) => explain(error, record.name),
  );
  const news = await whatIsNew(stored, announcement, target);
  if (!isNews(news) && !moved.isMoved) {
    const differences = await compare(target.git, stored, target.head ?? "");
    return reportUpToDate(world, record, news, differences);
  }
  const built = await buildSync({
    world,
    target,
    quarantine,
    stored,
    isMoved: moved.isMoved,
    address,
    newTags: news.tags,
    branches: news.branches,
    allowSecrets: options.allowSecrets,
    allowLfs: options.allowLfs,
    fetchLfs: !options.dryRun,
  }).catch((error: unknown) => explain(error, record.name));
  if (built.kind === "refused") return refuse(world, built.refusals);
  const isClean = built.conflicts.length === 0;
  // With conflicts there is no merge commit yet; `status` and `verify` compare once it exists.
  const differences = isClean
    ? await compare(quarantine.git, built.stored, built.newHead)
    : [];
  progress.end();
  print(
    renderSync(record, built) +
      renderDifferences(built.stored.record, differences),
    syncEvent(record, { ...built, differences }),
  );
  if (!options.dryRun) {
    progress.phase("land");
    await (isClean ? landSync : leaveMerge)(world, target, work, built, record);
  }
  return isClean ? ExitCode.Ok : ExitCode.Bad;
}

function reportUpToDate(
  { progress, print }: MigrateWorld,
  record: MigrationRecord,
  { branches }: Pick<ReadySync, "branches">,
  differences: readonly TipDifference[],
): number {
  progress.end();
  print(
    `${record.name} is up to date with its source.\n${renderLeft(branches)}${renderDifferences(record, differences)}`,
    syncEvent(record, { branches, differences }),
  );
  return ExitCode.Ok;
}

/** Leaves a merge with conflicts in the working tree, for people to resolve. */
async function leaveMerge(
  { progress, stderr, print }: MigrateWorld,
  { head = "" }: TargetFacts,
  work: Work,
  { conflicts, newTip, refs, message, settled, lfs }: ReadySync,
  { name }: MigrationRecord,
): Promise<void> {
  const merging = { head, mergeHead: newTip, refs, message };
  await work.merge(merging, name, settled, lfs.moves);
  progress.end();
  print("", conflictsEvent(conflicts));
  stderr.write(
    `migrate-repo: the merge has ${count(conflicts.length, "conflict")}; it is in your working tree\nhint: resolve them, \`git add\` them, then: migrate-repo continue; or roll everything back: migrate-repo abort\n`,
  );
}

async function landSync(
  { progress, print }: MigrateWorld,
  target: TargetFacts,
  work: Work,
  { newHead, refs, lfs }: ReadySync,
  { name }: MigrationRecord,
): Promise<void> {
  const { branch, head } = target;
  const moves = branch !== undefined && newHead !== head;
  const staged = await stageLanding({
    target,
    quarantine: work.quarantine,
    newHead,
    refs: [
      ...(moves ? [{ ref: branch, old: head, new: newHead }] : []),
      ...refs,
    ],
    message: `migrate-repo: sync ${name}`,
  });
  await work.land(
    { ...staged, objects: [...staged.objects, ...lfs.moves] },
    name,
  );
  progress.end();
  print(
    `Synced ${name} at ${newHead.slice(0, 12)}: every new commit has exactly the files of its original.\n`,
    landedEvent(name, newHead),
  );
}

function explain(error: unknown, name: string): never {
  if (!(error instanceof SourceError)) throw error;
  const { message, hint = "" } = explainSourceError(error);
  throw new Failure(message, {
    hint: `${hint}; if it moved: migrate-repo sync ${name} --source ADDRESS`,
  });
}
