import type { Git } from "@skein/git";
import { printable } from "@skein/reporting";
import type { SourceRef } from "../migration.js";
import { branchRef, globMatches } from "../names/names.js";
import { explainRefusal } from "../refusals/index.js";
import type { MigrationRecord, StoredRecord } from "../record/record.js";
import { refRefusals } from "../refusals/refs.js";
import { isAncestor } from "../survey/commits.js";

/** A branch of the source beside the main one that is new or has moved on, and that a sync brings. */
export interface ComingBranch {
  /** In the source. */
  readonly name: string;
  /** Full name in the workspace. */
  readonly to: string;
  /** Its commit now; undefined if the branch is new. */
  readonly before: string | undefined;
}

export interface BranchNews {
  readonly coming: readonly ComingBranch[];
  /** Those that are left alone, each with its reason. */
  readonly left: readonly string[];
}

/**
 * Compares the branches that the migration was asked for with what was brought of them. One that somebody works on here
 * is never moved.
 * @param refs the target's
 * @param checkedOut full names
 */
export function branchNews(
  { record, map }: StoredRecord,
  announced: readonly SourceRef[],
  refs: ReadonlyMap<string, string>,
  checkedOut: ReadonlySet<string>,
): BranchNews {
  const coming: ComingBranch[] = [];
  const left: string[] = [];
  // A squash has no history that a branch could stand on.
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
    if (refusal) left.push(`${show(to)}: ${explainRefusal(refusal).sentence}`);
    else if (before !== undefined && before !== made?.id)
      left.push(`${show(to)}: it has commits of its own here.`);
    else if (checkedOut.has(to)) left.push(`${show(to)}: it is checked out.`);
    else coming.push({ name, to, before });
  }
  return { coming, left };

  /** Whether a commit was looked at, and nothing of it came along. */
  function isNothing(id: string): boolean {
    return map.has(id) && map.get(id) === undefined;
  }
}

/**
 * Takes out those whose history was rewritten at the source: what was brought of them would be lost.
 * @param git sees the fetched branches
 * @param fetched their commits
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
        `${show(branch.to)}: it was rewritten at the source. To have it as it is there now, delete it and sync again.`,
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

function show(ref: string): string {
  return printable(ref.replace(/^refs\/heads\//, ""));
}
