import { refused, type Refused } from "../refusals/index.js";
import type { LfsObjects } from "../lfs/lfs.js";
import { presentObjects } from "../survey/commits.js";
import { fetchSource } from "../survey/fetch-source.js";
import { surveyNews } from "../survey/history.js";
import { withoutRewritten, type BranchNews } from "./branches.js";
import { bringLfs } from "./bring-lfs.js";
import { checkRelated } from "./move-source.js";
import type { SyncRequest } from "./sync-request.js";

/** The source's new commits in the quarantine, not rewritten yet. */
export interface FetchedNews {
  readonly kind: "fetched";
  /** The source's commit that will be merged. */
  readonly tip: string;
  /** Whether this commit was merged already, according to the record. */
  readonly upToDate: boolean;
  readonly branches: BranchNews;
  /** The commits of the further branches, in the order of `branches.coming`. */
  readonly moreTips: readonly string[];
  /** The record's tips that still exist. */
  readonly present: readonly string[];
  /** The objects that git-lfs fetched. */
  readonly lfs: LfsObjects;
}

/** Fetches the source's new commits. It refuses commits with credentials or without their Git LFS objects. */
export async function fetchNews(
  request: SyncRequest,
): Promise<FetchedNews | Refused> {
  const { quarantine, stored, address } = request;
  const { progress } = request.world;
  const { record, map } = stored;
  const { git } = quarantine;
  progress.phase("fetch");
  const names = request.branches.coming.map(({ name }) => name);
  const fetched = await fetchSource(quarantine, {
    address,
    branches: [record.branch, ...names],
    tags: [],
  });
  const tip = fetched?.get(record.branch);
  if (!fetched || tip === undefined) return refused({ code: "shallow-source" });
  progress.phase("read");
  if (request.isMoved)
    await checkRelated(git, map, tip, `${address.shown} ${record.branch}`);
  const present = await presentObjects(git, "commit", record.tips);
  const branches = await withoutRewritten(
    git,
    stored,
    request.branches,
    fetched,
  );
  const moreTips = branches.coming.map(({ name }) => fetched.get(name) ?? "");
  const tips = [tip, ...moreTips];
  const history = await surveyNews(quarantine, tips, present, Infinity);
  const { secrets } = history;
  if (secrets.length > 0 && !request.allowSecrets)
    return refused({ code: "secrets", found: secrets });
  const lfs = await bringLfs(request, tip, history.lfs);
  if (lfs.kind === "refused") return lfs;
  return {
    kind: "fetched",
    tip,
    upToDate: tip === record.tip.old,
    branches,
    moreTips,
    present,
    lfs: lfs.objects,
  };
}
