import type { Git } from "@skein/git";
import type { CommitMap } from "../history/commit-map.js";
import { proveTrees, type TreeDifference } from "../history/prove-trees.js";
import {
  checkProof,
  type ProofCheck,
  type ProofFinding,
} from "../receipt/check-proof.js";
import type { StoredRecord } from "../record/record.js";
import { isAncestor, presentObjects } from "../survey/commits.js";
import type { Quarantine } from "../quarantine/quarantine.js";
import type { TargetFacts } from "../survey/target.js";
import { compareTips, type TipDifference } from "../sync/compare-tips.js";
import { findDeletedBranches, type DeletedBranch } from "./deleted-branches.js";
import { compareSamples, type SampleDifference } from "./samples.js";

/** One thing that is proved, and what speaks against it. */
export type Finding =
  /** The grafted commits are not in the history: the import was squashed or rebased after it was made. */
  | {
      readonly kind: "history-gone";
      readonly tip: string;
      /** The commit that the migration ended in, if the history is in it. */
      readonly whole: string | undefined;
    }
  /** They are not even in this repository: what holds them was not pushed. */
  | {
      readonly kind: "commits-gone";
      readonly count: number;
      readonly tip: string;
    }
  /** A branch that was brought was deleted, and neither its commits nor their originals are anywhere. */
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
  /** Commits with originals that are not to be had: what they were compared with when the migration was made. */
  readonly withoutOriginal: number;
  readonly tags: number;
  /** Branches that were brought, and deleted since: all but those that are lost. */
  readonly deleted: readonly DeletedBranch[];
  /**
   * Commits that are here no more and that nothing of the record leads to: what did was rewritten at the source, or
   * deleted here.
   */
  readonly dropped: number;
  readonly samples: number;
  /** Undefined where the record holds no proof, or its commits are gone. */
  readonly proof: ProofCheck | undefined;
  readonly findings: readonly Finding[];
  /** Files that are not as the source's tip has them. */
  readonly differences: readonly TipDifference[];
}

/**
 * Proves a migration again: its commits are in the branch's history, each with the very files of its original, its tags
 * are where they were put, log and blame of sampled files read as at home, npm packs what was recorded, and yarn.lock
 * resolved what was recorded.
 * @param quarantine sees the target's objects and the source's
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
  const { tip, landed } = record;
  const { here, gone, withoutOriginal, hasOriginal } = await comparable(
    git,
    own,
    map,
  );
  const hasTips = here.some((one) => one.old === tip.old);
  const isTipHere = (await presentObjects(own, "commit", [tip.new])).length > 0;
  // A commit has its whole history with it: what is gone where the tip is here was of other branches.
  if (!isTipHere)
    findings.push({ kind: "commits-gone", count: gone, tip: tip.new });
  const deleted = isTipHere
    ? await findDeletedBranches(own, refs, record, hasOriginal)
    : [];
  for (const { ref, id, fate } of deleted)
    if (fate === "lost") findings.push({ kind: "branch-lost", ref, id });
  if (!(await isAncestor(git, tip.new, head)))
    findings.push({
      kind: "history-gone",
      tip: tip.new,
      whole:
        landed && (await isAncestor(git, tip.new, landed.after))
          ? landed.after
          : undefined,
    });
  const proof = await proveTrees(git, here, record.placements);
  for (const difference of proof.differences)
    findings.push({ kind: "tree-differs", difference });
  for (const { to: ref, id } of record.madeTags) {
    const found = refs.get(ref);
    if (found === undefined) findings.push({ kind: "tag-gone", ref });
    else if (found !== id) findings.push({ kind: "tag-moved", ref, to: found });
  }
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

/** Returns the commits that are there on both sides. What is on neither would compare as equal. */
async function comparable(git: Git, own: Git, map: CommitMap) {
  const commits = [...map].flatMap(({ old, new: id }) =>
    id === undefined ? [] : [{ old, new: id }],
  );
  const [olds, news] = [
    new Set(
      await presentObjects(
        git,
        "commit",
        commits.map((one) => one.old),
      ),
    ),
    new Set(
      await presentObjects(
        // Commits that were fetched only for the comparison must not count as present; with unchanged ids they would.
        own,
        "commit",
        commits.map((one) => one.new),
      ),
    ),
  ];
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
