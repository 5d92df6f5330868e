import type { Git } from "@skein/git";
import type { CommitMap } from "../history/commit-map.js";
import { proveTrees, type TreeDifference } from "../history/prove-trees.js";
import {
  checkProof,
  type ProofCheck,
  type ProofFinding,
} from "../receipt/check-proof.js";
import type { StoredRecord } from "../record/record.js";
import type { MigrationRecord } from "../record/record-format.js";
import { isAncestor, presentObjects } from "../survey/commits.js";
import type { Quarantine } from "../quarantine/quarantine.js";
import type { TargetFacts } from "../survey/target.js";
import { compareTips, type TipDifference } from "../sync/compare-tips.js";
import { findDeletedBranches, type DeletedBranch } from "./deleted-branches.js";
import { compareSamples, type SampleDifference } from "./samples.js";

/** One kind of contradiction to the proof, with its data. */
export type Finding =
  /** The branch's history lacks the grafted commits: the import was squashed or rebased later. */
  | {
      readonly kind: "history-gone";
      readonly tip: string;
      /** The last commit of the migration, if the history is in it. */
      readonly whole: string | undefined;
    }
  /** The grafted commits aren't even in this repository: the refs that hold them weren't pushed. */
  | {
      readonly kind: "commits-gone";
      readonly count: number;
      readonly tip: string;
    }
  /** A migrated branch was deleted, and neither its commits nor their originals exist anywhere. */
  | {
      readonly kind: "branch-lost";
      readonly ref: string;
      readonly id: string;
    }
  | { readonly kind: "tree-differs"; readonly difference: TreeDifference }
  | { readonly kind: "tag-gone"; readonly ref: string }
  | { readonly kind: "tag-moved"; readonly ref: string; readonly to: string }
  | { readonly kind: "sample-differs"; readonly sample: SampleDifference }
  | ProofFinding;

export interface Verification {
  readonly commits: number;
  /** The number of commits whose originals aren't available. They were compared when the migration was made. */
  readonly withoutOriginal: number;
  readonly tags: number;
  /** Migrated branches that were deleted since, except lost ones. */
  readonly deleted: readonly DeletedBranch[];
  /**
   * The number of commits that no longer exist and that the record doesn't need: their refs were rewritten in the
   * source, or deleted here.
   */
  readonly dropped: number;
  readonly samples: number;
  /** Undefined if the record has no proof, or if its commits no longer exist. */
  readonly proof: ProofCheck | undefined;
  readonly findings: readonly Finding[];
  /** Files that differ from the source's tip. */
  readonly differences: readonly TipDifference[];
}

/**
 * Proves a migration again: its commits are in the branch's history; each has exactly the files of its original; its
 * tags are unchanged; log and blame of sampled files match the source's; npm packs the recorded files; and yarn.lock
 * has the recorded resolutions.
 * @param quarantine a repository that can read the target's objects and the source's
 */
export async function verify(
  { git, scratch }: Pick<Quarantine, "git" | "scratch">,
  stored: StoredRecord,
  {
    git: own,
    refs,
    head,
  }: Pick<TargetFacts, "git" | "refs"> & { readonly head: string },
): Promise<Verification> {
  const { record, map, proof: kept } = stored;
  const findings: Finding[] = [];
  const { tip } = record;
  const { here, gone, withoutOriginal, hasOriginal } = await comparable(
    git,
    own,
    map,
  );
  const hasTips = here.some((one) => one.old === tip.old);
  const isTipHere = (await presentObjects(own, "commit", [tip.new])).length > 0;
  // A commit needs its whole history. So if the tip exists, missing commits were on other branches.
  if (!isTipHere)
    findings.push({ kind: "commits-gone", count: gone, tip: tip.new });
  const deleted = isTipHere
    ? await findDeletedBranches(own, refs, record, hasOriginal)
    : [];
  for (const { ref, id, fate } of deleted)
    if (fate === "lost") findings.push({ kind: "branch-lost", ref, id });
  findings.push(...(await historyFindings(git, record, head)));
  const proof = await proveTrees(git, here, record.placements);
  for (const difference of proof.differences)
    findings.push({ kind: "tree-differs", difference });
  findings.push(...tagFindings(record, refs));
  const samples =
    record.history === "graft" && hasTips
      ? await compareSamples(git, record, map)
      : { compared: 0, differences: [] };
  for (const sample of samples.differences)
    findings.push({ kind: "sample-differs", sample });
  const checked =
    kept && (await checkProof(git, kept, record.placements, head, scratch));
  findings.push(...(checked?.findings ?? []));
  return {
    proof: checked,
    commits: proof.compared,
    withoutOriginal,
    tags: record.madeTags.length,
    deleted: deleted.filter(({ fate }) => fate !== "lost"),
    dropped:
      isTipHere &&
      deleted.every(({ fate }) => fate === "held" || fate === "loose")
        ? gone
        : 0,
    samples: samples.compared,
    findings,
    differences: await compareTips(own, stored, head),
  };
}

/** Returns a finding if the branch doesn't contain the rewritten history. */
async function historyFindings(
  git: Git,
  { tip, landed }: MigrationRecord,
  head: string,
): Promise<readonly Finding[]> {
  if (await isAncestor(git, tip.new, head)) return [];
  const isWhole =
    landed !== undefined && (await isAncestor(git, tip.new, landed.after));
  const whole = isWhole ? landed.after : undefined;
  return [{ kind: "history-gone", tip: tip.new, whole }];
}

/** Returns the tags of the migration that were deleted or moved since. */
function tagFindings(
  { madeTags }: MigrationRecord,
  refs: TargetFacts["refs"],
): readonly Finding[] {
  return madeTags.flatMap(({ to: ref, id }): readonly Finding[] => {
    const to = refs.get(ref);
    if (to === undefined) return [{ kind: "tag-gone", ref }];
    return to === id ? [] : [{ kind: "tag-moved", ref, to }];
  });
}

/** Returns the commits that exist on both sides. Commits that exist on neither side would compare as equal. */
async function comparable(git: Git, own: Git, map: CommitMap) {
  const commits = [...map].flatMap(({ old, new: id }) =>
    id === undefined ? [] : [{ old, new: id }],
  );
  const [oldIds, newIds] = [
    commits.map((one) => one.old),
    commits.map((one) => one.new),
  ];
  const olds = new Set(await presentObjects(git, "commit", oldIds));
  // Commits that were fetched only for the comparison must not count as present. With unchanged ids they would.
  const news = new Set(await presentObjects(own, "commit", newIds));
  const there = commits.filter((one) => news.has(one.new));
  const here = there.filter((one) => olds.has(one.old));
  return {
    here,
    gone: commits.length - there.length,
    withoutOriginal: there.length - here.length,
    hasOriginal: (id: string) =>
      commits.some((one) => one.new === id && olds.has(one.old)),
  };
}
