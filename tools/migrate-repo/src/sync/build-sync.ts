import type { RefUpdate } from "@skein/git";
import type { LfsObjects } from "../lfs/lfs.js";
import type { Refused } from "../refusals/index.js";
import { writeRecord, type StoredRecord } from "../record/record.js";
import { isAncestor } from "../survey/commits.js";
import type { BranchNews } from "./branches.js";
import { fetchNews } from "./fetch-news.js";
import { graftNews } from "./graft-news.js";
import { mergeNews, type MergedNews } from "./merge-news.js";
import { nextRecord, syncRefs } from "./next-record.js";
import type { SyncRequest } from "./sync-request.js";

/** A sync that is ready in the quarantine, or the reasons against it. */
export type BuiltSync = Refused | ReadySync;

export interface ReadySync extends MergedNews {
  readonly kind: "built";
  readonly commits: number;
  readonly tags: number;
  readonly branches: BranchNews;
  /** Whether the source's branch no longer holds the commit that was merged last. */
  readonly rewritten: boolean;
  /** The grafted commit that is merged. */
  readonly newTip: string;
  /** Every ref except the branch. */
  readonly refs: readonly RefUpdate[];
  /** The objects that git-lfs fetched. */
  readonly lfs: LfsObjects;
  /** Paths that stay removed, even if the source has changed them. */
  readonly settled: readonly string[];
  /** The record after the sync. */
  readonly stored: StoredRecord;
}

/** Fetches, grafts, proves and merges in the quarantine. */
export async function buildSync(request: SyncRequest): Promise<BuiltSync> {
  const { world, target, quarantine, stored } = request;
  const { record } = stored;
  const { git } = quarantine;
  const { identity, head } = target;
  if (!identity || head === undefined)
    throw new Error("refuseTarget lets no such target through");
  const news = await fetchNews(request);
  if (news.kind === "refused") return news;
  const committer = { ...identity, now: world.now() };
  const grafted = await graftNews(request, news, committer);
  if (grafted.kind === "refused") return grafted;
  const merged = await mergeNews(request, news, grafted, committer, head);
  const written = {
    record: nextRecord(record, news, grafted),
    map: grafted.commits,
    proof: stored.proof,
  };
  const commit = await writeRecord(git, committer, written, stored.commit);
  return {
    ...merged,
    kind: "built",
    commits: grafted.fresh,
    tags: grafted.tags.length,
    branches: news.branches,
    rewritten:
      !news.upToDate && !(await isAncestor(git, record.tip.old, news.tip)),
    newTip: grafted.newTip,
    refs: syncRefs(stored, news, grafted, commit, target.refs),
    lfs: news.lfs,
    settled: record.removed,
    stored: { ...written, commit },
  };
}
