import type { RefUpdate } from "@skein/git";
import { count, ExitCode, Failure } from "@skein/reporting";
import { refuseTarget } from "../refusals/target.js";
import { findRecord } from "../record/find-record.js";
import { pendingMigration } from "../landing/journal.js";
import { stageLanding } from "../landing/stage.js";
import { conflictsEvent, landedEvent } from "../words/events.js";
import { addressOf } from "../record/address-of.js";
import { refuse } from "../refusals/refuse.js";
import { explainSourceError } from "../survey/source-failure.js";
import { announce, SourceError } from "../survey/announcement.js";
import { surveyTarget } from "../survey/target.js";
import { openWork } from "../work/work.js";
import type { MigrateWorld } from "../world.js";
import { buildSync } from "./build-sync.js";
import { compareTips } from "./compare-tips.js";
import {
  renderDifferences,
  renderLeft,
  renderSync,
  syncEvent,
} from "./render-sync.js";
import { moveSource, type NewPlace } from "./move-source.js";
import { isNews, whatIsNew } from "./what-is-new.js";

/** Brings what the source has made since the last time: its new commits, grafted onto the old ones, by an ordinary merge. */
export async function runSync(
  world: MigrateWorld,
  name: string,
  options: {
    readonly dryRun: boolean;
    readonly allowSecrets: boolean;
    readonly allowLfs: boolean;
    /** Whether to tell what differs from the source's tip. Default: yes. */
    readonly compare?: boolean;
  } & NewPlace,
): Promise<number> {
  const { progress, cwd, env, stderr, tell } = world;
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
  const compare = async (
    ...[git, now, head]: Parameters<typeof compareTips>
  ) => (options.compare === false ? [] : compareTips(git, now, head));
  await using work = await openWork(world, target, address, options.dryRun);
  const { quarantine } = work;
  const announcement = await announce(quarantine.git, address).catch(
    (error: unknown) => explain(error, record.name),
  );
  const news = await whatIsNew(stored, announcement, target);
  if (!isNews(news) && !moved.isMoved) {
    const differences = await compare(target.git, stored, target.head ?? "");
    progress.end();
    tell(
      `${record.name} is up to date with its source.\n${renderLeft(news.branches)}${renderDifferences(record, differences)}`,
      syncEvent(record, { branches: news.branches, differences }),
    );
    return ExitCode.Ok;
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
  // With conflicts the merge is not made yet: `status` and `verify` tell then.
  const differences =
    built.conflicts.length > 0
      ? []
      : await compare(quarantine.git, built.stored, built.newHead);
  progress.end();
  const { conflicts, newTip } = built;
  tell(
    renderSync(record, built) +
      renderDifferences(built.stored.record, differences),
    syncEvent(record, { ...built, differences }),
  );
  if (options.dryRun) return conflicts.length > 0 ? ExitCode.Bad : ExitCode.Ok;
  progress.phase("land");
  const message = `migrate-repo: sync ${record.name}`;
  if (conflicts.length > 0) {
    await work.merge(
      {
        head: target.head ?? "",
        mergeHead: newTip,
        refs: built.refs,
        message: built.message,
      },
      record.name,
      built.settled,
      built.lfs.moves,
    );
    progress.end();
    tell("", conflictsEvent(conflicts));
    stderr.write(
      `migrate-repo: the merge has ${count(conflicts.length, "conflict")}; it is in your working tree\nhint: resolve them, \`git add\` them, then: migrate-repo continue; or take everything back: migrate-repo abort\n`,
    );
    return ExitCode.Bad;
  }
  const branch: RefUpdate[] =
    target.branch === undefined || built.newHead === target.head
      ? []
      : [{ ref: target.branch, old: target.head, new: built.newHead }];
  const staged = await stageLanding({
    target,
    quarantine,
    newHead: built.newHead,
    refs: [...branch, ...built.refs],
    message,
  });
  await work.land(
    { ...staged, objects: [...staged.objects, ...built.lfs.moves] },
    record.name,
  );
  progress.end();
  tell(
    `Synced ${record.name} at ${built.newHead.slice(0, 12)}: every new commit has the very files of its original.\n`,
    landedEvent(record.name, built.newHead),
  );
  return ExitCode.Ok;
}

function explain(error: unknown, name: string): never {
  if (!(error instanceof SourceError)) throw error;
  const { message, hint = "" } = explainSourceError(error);
  throw new Failure(message, {
    hint: `${hint}; if it moved: migrate-repo sync ${name} --source ADDRESS`,
  });
}
