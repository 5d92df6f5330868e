import type { Git } from "@skein/git";
import type { SourceAddress } from "../migration.js";
import type { StoredRecord } from "../record/record.js";
import { listCommits, presentObjects } from "../survey/commits.js";
import { fetchSource } from "../survey/fetch-source.js";
import { withoutRewritten } from "./branches.js";
import type { Work } from "../work/work.js";
import { isNews, type News } from "./what-is-new.js";

/** How far the workspace is behind a source: what a sync would merge. */
export interface Behind {
  /** Whether the main branch differs from the commit that was merged last. It may be an older commit, after a reset. */
  readonly isMoved: boolean;
  /** The number of new commits, on the main branch and all further branches. */
  readonly commits: number;
  readonly branches: readonly BranchBehind[];
  /** Branches that a sync skips, each with its reason. */
  readonly left: readonly string[];
  /** New tags on commits that are already here, with their names in the source. */
  readonly tags: readonly string[];
}

/** A further branch that is new, or has moved on. */
export interface BranchBehind {
  /** The full name in the workspace. */
  readonly to: string;
  readonly isNew: boolean;
  readonly commits: number;
}

/** Returns whether a sync would change anything. */
export function isBehind({ isMoved, branches, tags }: Behind): boolean {
  return isMoved || branches.length + tags.length > 0;
}

/**
 * Counts what is new. If anything is, it is fetched into a quarantine.
 * @param open opens that quarantine, which is removed at the end
 * @throws {SourceError} if git can't reach the source or rejects an object
 */
export async function countBehind(
  news: News,
  stored: StoredRecord,
  address: SourceAddress,
  open: () => Promise<Work>,
): Promise<Behind> {
  const nothing = {
    isMoved: news.isMoved,
    commits: 0,
    branches: [],
    left: news.branches.left,
    tags: news.tagsHere.map(({ name }) => name),
  };
  if (!isNews(news)) return nothing;
  const { record } = stored;
  await using work = await open();
  const { quarantine } = work;
  const fetched = await fetchSource(quarantine, {
    address,
    branches: [record.branch, ...news.branches.coming.map(({ name }) => name)],
    tags: [],
  });
  // A branch was moved or deleted since the announcement: the next run reports it.
  if (!fetched) return nothing;
  const { coming, left } = await withoutRewritten(
    quarantine.git,
    stored,
    news.branches,
    fetched,
  );
  const all = new Set<string>();
  const count = async (name: string) => {
    const fresh = await freshCommits(
      quarantine.git,
      stored,
      fetched.get(name) ?? "",
    );
    for (const id of fresh) all.add(id);
    return fresh.length;
  };
  await count(record.branch);
  const branches: BranchBehind[] = [];
  for (const { name, to, before } of coming)
    branches.push({
      to,
      isNew: before === undefined,
      commits: await count(name),
    });
  return { ...nothing, commits: all.size, branches, left };
}

/** Returns commits that aren't in the map, and that the merged tips don't reach. */
async function freshCommits(
  git: Git,
  { record, map }: StoredRecord,
  tip: string,
): Promise<readonly string[]> {
  const known = await presentObjects(git, "commit", record.tips);
  const found = await listCommits(git, [tip], known);
  return found.filter((id) => !map.has(id));
}
