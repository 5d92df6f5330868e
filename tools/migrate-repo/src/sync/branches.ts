import type { Git } from "@skein/git";
import { globMatches } from "@skein/versions";
import type { SourceRef } from "../migration.js";
import { branchRef } from "../names/names.js";
import { explainRefusal } from "../refusals/index.js";
import type { StoredRecord } from "../record/record.js";
import type { MigrationRecord } from "../record/record-format.js";
import { refRefusals } from "../refusals/refs.js";
import { isAncestor } from "../survey/commits.js";
import { shortRef } from "../words/problem-words.js";

/** A further branch of the source that is new or has moved on, and that a sync creates or updates. */
export interface ComingBranch {
  /** The name in the source. */
  readonly name: string;
  /** The full name in the workspace. */
  readonly to: string;
  /** Its current commit; undefined if the branch is new. */
  readonly before: string | undefined;
}

export interface BranchNews {
  readonly coming: readonly ComingBranch[];
  /** Branches that the sync skips, each with its reason. */
  readonly left: readonly string[];
}

/**
 * Compares the requested branches of the source with the migrated ones. A branch that someone has changed here is
 * never moved.
 * @param refs the target's refs
 * @param checkedOut full names of checked-out branches
 */
export function branchNews(
  { record, map }: StoredRecord,
  announced: readonly SourceRef[],
  refs: ReadonlyMap<string, string>,
  checkedOut: ReadonlySet<string>,
): BranchNews {
  const coming: ComingBranch[] = [];
  const left: string[] = [];
  // A squash has no history for a branch.
  if (record.history === "squash") return { coming, left };
  const became = (id: string) => (record.history === "move" ? id : map.get(id));
  for (const { name, id } of announced) {
    if (name === record.branch) continue;
    if (!record.branches.some((glob) => globMatches(glob, name))) continue;
    const made = madeOf(record, name);
    const isKnown = made ? became(id) === made.id : isNothing(id);
    if (isKnown) continue;
    const to = made?.to ?? branchRef(record.placements, name);
    const before = refs.get(to);
    const [refusal] =
      before === undefined ? refRefusals([{ from: name, to }], refs) : [];
    if (refusal)
      left.push(`${shortRef(to)}: ${explainRefusal(refusal).sentence}`);
    else if (before !== undefined && before !== made?.id)
      left.push(`${shortRef(to)}: it has its own commits here.`);
    else if (checkedOut.has(to))
      left.push(`${shortRef(to)}: it is checked out.`);
    else coming.push({ name, to, before });
  }
  return { coming, left };

  /** Returns whether a commit is in the map without a new commit. */
  function isNothing(id: string): boolean {
    return map.has(id) && map.get(id) === undefined;
  }
}

/**
 * Removes branches whose history the source rewrote, because a sync would lose the migrated commits.
 * @param git git that can read the fetched branches
 * @param fetched the commits of the fetched branches
 */
export async function withoutRewritten(
  git: Git,
  { record, map }: StoredRecord,
  { coming, left }: BranchNews,
  fetched: ReadonlyMap<string, string>,
): Promise<BranchNews> {
  const good: ComingBranch[] = [];
  const rewritten: string[] = [];
  for (const branch of coming) {
    const id = fetched.get(branch.name) ?? "";
    const had =
      record.history === "move"
        ? branch.before
        : [...map].find((one) => one.new === branch.before)?.old;
    if (branch.before === undefined || (await isAncestor(git, had ?? "", id)))
      good.push(branch);
    else
      rewritten.push(
        `${shortRef(branch.to)}: it was rewritten in the source. To get the current version, delete it and sync again.`,
      );
  }
  return { coming: good, left: [...left, ...rewritten] };
}

/** Returns the record's branches after a sync. @param newCommit returns the new commit of a branch of the source */
export function madeBranches(
  record: MigrationRecord,
  coming: readonly ComingBranch[],
  newCommit: (name: string) => string | undefined,
): MigrationRecord["madeBranches"] {
  const fresh = coming.flatMap(({ name, to }) => {
    const id = newCommit(name);
    return id === undefined ? [] : [{ from: `refs/heads/${name}`, to, id }];
  });
  const names = new Set(fresh.map(({ from }) => from));
  return [
    ...record.madeBranches.filter(({ from }) => !names.has(from)),
    ...fresh,
  ];
}

function madeOf({ madeBranches: all }: MigrationRecord, name: string) {
  return all.find(({ from }) => from === `refs/heads/${name}`);
}
