import type { Git } from "@skein/git";
import { proveTrees, type TreeDifference } from "../history/prove-trees.js";
import {
  checkProof,
  type ProofCheck,
  type ProofFinding,
} from "../receipt/check-proof.js";
import type { StoredRecord } from "../record.js";
import { compareSamples, type SampleDifference } from "./samples.js";

/** One thing that is proved, and what speaks against it. */
export type Finding =
  /** The grafted commits are not in the history: the import was squashed or rebased after it was made. */
  | { readonly kind: "history-gone"; readonly tip: string }
  | { readonly kind: "tree-differs"; readonly difference: TreeDifference }
  | { readonly kind: "tag-gone"; readonly ref: string }
  | { readonly kind: "tag-moved"; readonly ref: string; readonly to: string }
  | { readonly kind: "sample-differs"; readonly sample: SampleDifference }
  | ProofFinding;

export interface Verification {
  readonly commits: number;
  readonly tags: number;
  readonly samples: number;
  /** Undefined where the record holds no proof, or its commits are gone. */
  readonly proof: ProofCheck | undefined;
  readonly findings: readonly Finding[];
}

/**
 * Proves a migration again: its commits are in the branch's history, each with the very files of its original, its tags
 * are where they were put, log and blame of sampled files read as at home, npm packs what was recorded, and yarn.lock
 * resolved what was recorded.
 * @param git sees the target's objects and the source's
 * @param head the branch's commit
 * @param refs the target's refs
 * @param scratch a folder for temporary files
 */
export async function verify(
  git: Git,
  { record, map, proof: kept }: StoredRecord,
  head: string,
  refs: ReadonlyMap<string, string>,
  scratch: string,
): Promise<Verification> {
  const findings: Finding[] = [];
  const { exitCode } = await git.run(
    ["merge-base", "--is-ancestor", record.tip.new, head],
    { answers: [0, 1, 128] },
  );
  if (exitCode !== 0)
    findings.push({ kind: "history-gone", tip: record.tip.new });
  const proof = await proveTrees(git, map, record.placements);
  for (const difference of proof.differences)
    findings.push({ kind: "tree-differs", difference });
  for (const { to: ref, id } of record.madeTags) {
    const found = refs.get(ref);
    if (found === undefined) findings.push({ kind: "tag-gone", ref });
    else if (found !== id) findings.push({ kind: "tag-moved", ref, to: found });
  }
  const samples =
    record.history === "graft"
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
    tags: record.madeTags.length,
    samples: samples.compared,
    findings,
  };
}
