import type { RefUpdate } from "@skein/git";
import { count, ExitCode, Failure } from "@skein/reporting";
import { refuseTarget } from "../refusals/target.js";
import { findRecord } from "../find-record.js";
import { openJournal } from "../landing/journal.js";
import { stageLanding } from "../landing/stage.js";
import { conflictsEvent, landedEvent } from "../render-json.js";
import { refuse } from "../tell.js";
import { explainSourceError } from "../source-failure.js";
import { parseSource } from "../source-address.js";
import {
  announce,
  SourceError,
  type Announcement,
} from "../survey/announcement.js";
import { surveyTarget, type TargetFacts } from "../survey/target.js";
import { openWork } from "../work.js";
import type { MigrateWorld } from "../world.js";
import { tagNamesOf, type StoredRecord } from "../record.js";
import type { SourceAddress, SourceRef } from "../migration.js";
import { checkedOut } from "../survey/checked-out.js";
import { branchNews, type BranchNews } from "./branches.js";
import { buildSync } from "./build-sync.js";
import { renderLeft, renderSync, syncEvent } from "./render-sync.js";

/** Brings what the source has made since the last time: its new commits, grafted onto the old ones, by an ordinary merge. */
export async function runSync(
  world: MigrateWorld,
  name: string,
  options: {
    readonly dryRun: boolean;
    readonly allowSecrets: boolean;
    readonly allowLfs: boolean;
  },
): Promise<number> {
  const { progress, cwd, env, stderr, tell } = world;
  progress.phase("look");
  const target = await surveyTarget(cwd, env);
  const journal = openJournal(target.commonDir);
  const refusals = refuseTarget(
    target,
    { allow: [] },
    (await journal.read())?.name,
  );
  if (refusals.length > 0) return refuse(world, refusals);
  const stored = await findRecord(target, name);
  const { record } = stored;
  const address = addressOf(record.source.fetchFrom);
  await using work = await openWork(world, target, address, options.dryRun);
  const { quarantine } = work;
  const announcement = await announce(quarantine.git, address).catch(explain);
  const news = await whatIsNew(stored, announcement, target);
  if (!isNews(news)) {
    progress.end();
    tell(
      `${record.name} is up to date with its source.\n${renderLeft(news.branches)}`,
      syncEvent(record, { branches: news.branches }),
    );
    return ExitCode.Ok;
  }
  const built = await buildSync({
    world,
    target,
    quarantine,
    stored,
    address,
    newTags: news.tags,
    branches: news.branches,
    allowSecrets: options.allowSecrets,
    allowLfs: options.allowLfs,
    fetchLfs: !options.dryRun,
  }).catch(explain);
  if (built.kind === "refused") return refuse(world, built.refusals);
  progress.end();
  const { conflicts, newTip } = built;
  tell(renderSync(record, built), syncEvent(record, built));
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
      `migrate-repo: the merge has ${count(conflicts.length, "conflict")}; it is in your working tree.\nhint: Resolve them, \`git add\` them, then: migrate-repo continue; or take everything back: migrate-repo abort\n`,
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

/** Whether the source has nothing that a sync would bring; asks it. */
export async function isSynced(
  world: MigrateWorld,
  target: TargetFacts,
  stored: StoredRecord,
): Promise<boolean> {
  const address = addressOf(stored.record.source.fetchFrom);
  await using work = await openWork(world, target, address, true);
  const said = await announce(work.quarantine.git, address).catch(explain);
  return !isNews(await whatIsNew(stored, said, target));
}

interface News {
  /** Tags the record does not know. */
  readonly tags: readonly SourceRef[];
  readonly branches: BranchNews;
  /** Whether the branch or one of those tags has something for the workspace. */
  readonly isAhead: boolean;
}

function isNews({ isAhead, branches }: News): boolean {
  return isAhead || branches.coming.length > 0;
}

/** Tags, branches and commits that the record does not know. */
async function whatIsNew(
  stored: StoredRecord,
  { branches, tags }: Announcement,
  target: TargetFacts,
): Promise<News> {
  const { record, map } = stored;
  const tip = branches.find(({ name }) => name === record.branch)?.id;
  if (tip === undefined)
    throw new Failure(`The source no longer has the branch ${record.branch}.`, {
      hint: `It has: ${branches.map(({ name }) => name).join(", ")}.`,
    });
  const known = new Set(record.madeTags.map(({ from }) => from));
  const { chosen } = tagNamesOf(
    record,
    tags.map(({ name }) => name),
  );
  const fresh =
    record.tags === "none"
      ? []
      : tags.filter(
          ({ name }) => chosen.has(name) && !known.has(`refs/tags/${name}`),
        );
  const taken =
    record.branches.length === 0
      ? new Set<string>()
      : await checkedOut(target.git);
  return {
    tags: fresh,
    branches: branchNews(stored, branches, target.refs, taken),
    isAhead:
      tip !== record.tip.old ||
      fresh.some(({ id, peeled }) => map.has(peeled ?? id)),
  };
}

/** A record holds an address that was accepted once; it is read again all the same. */
export function addressOf(fetchFrom: string): SourceAddress {
  const isFolder = fetchFrom.startsWith("/") || /^[A-Za-z]:\\/.test(fetchFrom);
  const address = parseSource(fetchFrom, isFolder ? fetchFrom : undefined);
  if ("code" in address)
    throw new Failure("The record names a source that cannot be read.", {
      hint: "Someone changed refs/migrate; fetch it again from where it was made.",
    });
  return address;
}

function explain(error: unknown): never {
  throw error instanceof SourceError ? explainSourceError(error) : error;
}
