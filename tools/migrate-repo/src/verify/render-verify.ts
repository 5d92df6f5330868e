import { shellWord } from "@skein/git";
import { count, printable, some } from "@skein/reporting";
import type { ProofCheck } from "../receipt/check-proof.js";
import type { MigrationRecord } from "../record/record-format.js";
import { differenceLines } from "../sync/render-differences.js";
import { present, shortRef } from "../words/problem-words.js";
import type { BranchFate } from "./deleted-branches.js";
import type { Finding, Verification } from "./verify.js";

/**
 * Renders the proof and the contradictions to it.
 * @param why why the source can't be read, if originals are missing because of that
 */
export function renderVerification(
  record: MigrationRecord,
  {
    commits,
    withoutOriginal,
    tags,
    deleted,
    dropped,
    samples,
    proof,
    findings,
    differences,
  }: Verification,
  why?: string,
): string {
  const summary =
    commits === 0
      ? `no findings: its history is in the branch, and ${count(tags, "tag is", "tags are")} unchanged.`
      : `nothing is missing. ${count(commits, "commit")} with exactly the files of their originals, ${count(tags, "tag")}, log and blame of ${count(samples, "file")} as in the source.`;
  return present([
    `${record.name}: ${findings.length === 0 ? summary : `${count(findings.length, "finding")}.`}`,
    ...findings.slice(0, MOST).map((finding) => `  ${sentence(finding)}`),
    findings.length > MOST && `  and ${findings.length - MOST} more`,
    withoutOriginal > 0 &&
      `Not compared: ${count(withoutOriginal, "commit")}, because the originals were not stored (--no-originals) and ${why === undefined ? "no longer exist in the source." : `cannot be fetched: ${why}`}`,
    ...deleted.map(
      ({ ref, id, fate }) =>
        `The branch ${shortRef(ref)} was deleted: ${FATES[fate]}${fate === "loose" ? `; to keep them: git branch ${shellWord(shortRef(ref))} ${id.slice(0, 12)}` : "."}`,
    ),
    dropped > 0 &&
      `${count(dropped, "commit no longer exists", "commits no longer exist")}: the source rewrote ${dropped === 1 ? "it, or its branch was" : "them, or their branches were"} deleted here.`,
    ...(proof ? sayProof(proof) : [NOT_COMPARED]),
    ...differenceLines(record, differences),
    "",
  ]).join("\n");
}

/** The most findings that people see. */
const MOST = 20;

const FATES: Readonly<Record<BranchFate, string>> = {
  held: "other refs contain its commits",
  loose: "no ref contains its commits, so git will remove them",
  original: "its commits no longer exist, but their originals do",
  lost: "neither its commits nor their originals exist",
};

/** Returns `{"event":"verified", …}`: what was proved, and each finding with its code and data. */
export function verifiedEvent(
  { name }: MigrationRecord,
  { proof, findings, differences, ...counts }: Verification,
): object {
  return {
    event: "verified",
    name,
    ...counts,
    ...(proof && {
      packed: proof.packed,
      resolutions: proof.resolutions,
      since: proof.since,
    }),
    ...(differences.length > 0 && { differences }),
    findings: findings.map(({ kind, ...data }) => ({
      code: kind,
      data,
      sentence: sentence({ kind, ...data } as Finding),
    })),
  };
}

const NOT_COMPARED =
  "Not compared: packed files and resolutions of yarn.lock. The record is older, or the branch was rewritten since.";

function sayProof({
  packed,
  resolutions,
  findings,
  since,
}: ProofCheck): readonly string[] {
  const { unpacked, moved } = since;
  return present([
    findings.length === 0 &&
      `As recorded: ${packed === undefined ? "" : `the packed files of ${count(packed, "package")}, `}${count(resolutions, "resolution")} of yarn.lock; no other resolution has changed.`,
    packed === undefined &&
      "Not compared: packed files. The source's files are not available.",
    // Later changes aren't faults of the migration.
    unpacked.length > 0 &&
      `Since then: npm no longer packs ${count(unpacked.length, "file")}: ${some(unpacked)}.`,
    moved.length > 0 &&
      `Since then: ${count(moved.length, "resolution")} changed: ${some(moved.map(({ descriptor, after }) => `${descriptor} -> ${after}`))}.`,
  ]);
}

function sentence(finding: Finding): string {
  switch (finding.kind) {
    case "history-gone":
      // A merge of the history over the squash isn't enough: both have the same files, so `git log -- path` would show
      // only the squash.
      return `The migrated history (${finding.tip.slice(0, 12)}) is not in this branch: its merge was squashed or rebased. To fix it, undo the squash with \`git revert\`, then merge the history: \`git merge --no-ff ${finding.whole ?? "<the branch of the migration>"}\`.`;
    case "commits-gone":
      return `${count(finding.count, "migrated commit is", "migrated commits are")} not in this repository: their branch was not pushed, or its merge was squashed or rebased. To fix it, run \`git push origin ${finding.tip}:refs/heads/migrated\` in the repository where it was migrated; then fetch it here.`;
    case "branch-lost":
      return `The branch ${shortRef(finding.ref)} was deleted: ${FATES.lost}. To fix it, fetch ${finding.id} from someone who still has it.`;
    case "tree-differs":
      return `${finding.difference.new.slice(0, 12)} does not have the files of ${finding.difference.old.slice(0, 12)} at ${printable(finding.difference.path)}.`;
    case "tag-gone":
      return `The tag ${printable(finding.ref)} is gone.`;
    case "tag-moved":
      return `The tag ${printable(finding.ref)} was moved to ${finding.to.slice(0, 12)}.`;
    case "sample-differs":
      return `git ${finding.sample.what} of ${printable(finding.sample.path)} differs from the source's.`;
    case "packed-differs":
      return `npm packs other files of ${printable(finding.dir)}, ${finding.side === "home" ? "in the source" : "as it landed"}, than recorded: ${some([...finding.gone.map((path) => `-${path}`), ...finding.came.map((path) => `+${path}`)])}.`;
    case "resolution-differs":
      return `yarn.lock, as it landed, resolves ${printable(finding.moved.descriptor)} to ${printable(finding.moved.after)}; the record has ${printable(finding.moved.before)}.`;
    case "workspace-moved":
      return `The migration changed a resolution of the workspace: ${printable(finding.moved.descriptor)} from ${printable(finding.moved.before)} to ${printable(finding.moved.after)}.`;
  }
}
