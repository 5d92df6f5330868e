import { bringHistory } from "../history/bring-history.js";
import { commitMap, type CommitMap } from "../history/commit-map.js";
import type { Committer } from "../history/make-commit.js";
import { requireSameTrees } from "../history/prove-trees.js";
import { makeTags, type MadeTag } from "../history/tags.js";
import type { HistoryFigures, TagPlan } from "../migration.js";
import { writePack, type PackWriter } from "../objects/pack-writer.js";
import { refused, type Refusal, type Refused } from "../refusals/index.js";
import { refRefusals } from "../refusals/refs.js";
import { findInTags } from "../secrets/find-in-message.js";
import { countCommits } from "../survey/commits.js";
import type { FetchedNews } from "./fetch-news.js";
import { figuresNow, newCommits } from "./figures.js";
import { knownHistory, type KnownHistory } from "./known-history.js";
import { planNewTags } from "./new-tags.js";
import type { SyncRequest } from "./sync-request.js";

/** The new commits and tags in their form for the target; the commits are proved. */
export interface GraftedNews {
  readonly kind: "grafted";
  /** The grafted commit that is merged. */
  readonly newTip: string;
  /** All commits of the source, from this sync and earlier runs. */
  readonly commits: CommitMap;
  /** Returns the new commit of a source's commit. */
  readonly newCommit: (old: string) => string | undefined;
  readonly tags: readonly MadeTag[];
  /** The record's tips whose new commit still exists, or that have none. */
  readonly living: readonly string[];
  readonly figures: HistoryFigures;
  /** The number of new commits. */
  readonly fresh: number;
  /** The number of commits that were compared with their originals. */
  readonly compared: number;
}

interface Grafted {
  readonly brought: {
    readonly tip: string;
    readonly commits: CommitMap;
  };
  readonly commits: CommitMap;
  readonly newCommit: GraftedNews["newCommit"];
}

/**
 * Grafts the new commits onto those of earlier runs, makes the new tags, and proves the commits.
 * @throws {Failure} if a commit differs from its original
 */
export async function graftNews(
  request: SyncRequest,
  news: FetchedNews,
  committer: Committer,
): Promise<GraftedNews | Refused> {
  const { quarantine, stored, world } = request;
  const { record, map } = stored;
  const { git } = quarantine;
  const known = await knownHistory(git, stored, news.present);
  const total = await countCommits(
    git,
    [news.tip, ...news.moreTips],
    known.exclude,
  );
  world.progress.phase("rewrite", total);
  const grafted = await writePack(quarantine, async (pack) => {
    const done = await graftCommits(request, news, committer, known, pack);
    const { newCommit } = done;
    const plans = await planNewTags(
      request,
      (old) => newCommit(old) !== undefined,
    );
    const refusals = await refuseTags(request, plans);
    if (refusals.length > 0) return { ...done, refusals, made: [] };
    const { made } = await makeTags(git, pack, plans, newCommit);
    return { ...done, refusals, made };
  });
  const { brought, commits, refusals } = grafted;
  if (refusals.length > 0) return refused(...refusals);
  const figures = await figuresNow(git, record, commits, news.tip);
  const compared = newCommits(commits).length - newCommits(map).length;
  world.progress.phase("prove");
  await requireSameTrees(git, brought.commits, record.placements);
  return {
    kind: "grafted",
    newTip: brought.tip,
    commits,
    newCommit: grafted.newCommit,
    tags: grafted.made,
    living: known.living,
    figures,
    fresh:
      record.history === "move"
        ? figures.commits - record.receipt.figures.commits
        : compared,
    compared,
  };
}

async function graftCommits(
  { quarantine, stored, world }: SyncRequest,
  { tip, moreTips, upToDate }: FetchedNews,
  committer: Committer,
  { known, exclude }: KnownHistory,
  pack: PackWriter,
): Promise<Grafted> {
  const { record, map } = stored;
  const { git, scratch } = quarantine;
  const sourceName = record.source.slug ?? record.name;
  const isKnown =
    upToDate && (moreTips.length === 0 || record.history !== "graft");
  const brought = isKnown
    ? { tip: record.tip.new, commits: commitMap([]) }
    : await bringHistory({
        git,
        pack,
        scratch,
        mode: record.history,
        placements: record.placements,
        tip,
        moreTips,
        known,
        exclude,
        previous: record.tip.new,
        qualifyRefs: record.qualifyRefs,
        trailer: record.trailer ? sourceName : undefined,
        sourceName,
        committer,
        onProgress: (commits) => world.progress.advance(commits),
      });
  // Without originals, the old commits were rewritten again, to the same ids. The map has each of them once.
  const commits = commitMap(map);
  for (const { old, new: id } of brought.commits) commits.add(old, id);
  const newCommit = (old: string) =>
    record.history === "move" ? old : commits.get(old);
  return { brought, commits, newCommit };
}

/** Refuses new tags whose names are taken, and tags with credentials in their messages. */
async function refuseTags(
  { quarantine, target, allowSecrets }: SyncRequest,
  tags: readonly TagPlan[],
): Promise<readonly Refusal[]> {
  const clashes = refRefusals(tags, target.refs);
  if (allowSecrets) return clashes;
  const names = tags.map(({ from, id }) => ({ name: from, id }));
  const found = await findInTags(quarantine.git, names);
  return found.length > 0 ? [...clashes, { code: "secrets", found }] : clashes;
}
