import { shellWord } from "@skein/git";
import { count, printable } from "@skein/reporting";
import type { ProofCheck } from "../receipt/check-proof.js";
import type { MigrationRecord } from "../record/record.js";
import { sayDifferences } from "../sync/compare-tips.js";
import { shortRef, some } from "../words/problem-words.js";
import { VERSION } from "../words/events.js";
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
  return [
    ...(findings.length === 0
      ? [
          commits === 0
            ? `${record.name}: nothing speaks against it: its history is in the branch, and ${count(tags, "tag is where it was", "tags are where they were")} put.`
            : `${record.name}: nothing is missing. ${count(commits, "commit")} with exactly the files of their originals, ${count(tags, "tag")}, log and blame of ${count(samples, "file")} as in the source.`,
        ]
      : [
          `${record.name}: ${count(findings.length, "finding")}.`,
          ...findings.slice(0, 20).map((finding) => `  ${sentence(finding)}`),
          ...(findings.length > 20
            ? [`  and ${findings.length - 20} more`]
            : []),
        ]),
    ...(withoutOriginal > 0
      ? [
          `Not compared: ${count(withoutOriginal, "commit")} whose originals are neither kept (--no-originals) nor ${why === undefined ? "at the source any more." : `to be had: ${why}`}`,
        ]
      : []),
    ...deleted.map(
      ({ ref, id, fate }) =>
        `No branch ${shortRef(ref)} any more: ${FATES[fate]}${fate === "loose" ? `; to keep them: git branch ${shellWord(shortRef(ref))} ${id.slice(0, 12)}` : "."}`,
    ),
    ...(dropped > 0
      ? [
          `Here no more: ${count(dropped, "commit")} of what was rewritten at the source, or deleted here.`,
        ]
      : []),
    ...(proof ? sayProof(proof) : [NOT_COMPARED]),
    ...sayDifferences(record, differences),
    "",
  ].join("\n");
}

const FATES: Readonly<Record<BranchFate, string>> = {
  held: "its commits are in the history of others",
  loose: "nothing holds its commits, and git will collect them",
  original:
    "its commits are gone, and their originals are kept or at the source",
  lost: "its commits are gone, and so are their originals",
};

/** Returns `{"event":"verified", …}`: what was proved, and each finding with its code and data. */
export function verifiedEvent(
  { name }: MigrationRecord,
  { proof, findings, differences, ...counts }: Verification,
): object {
  return {
    version: VERSION,
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
  "Not compared: what npm packs and what yarn.lock resolved. The record is older, or the branch was rewritten since.";

function sayProof({
  packed,
  resolutions,
  findings,
  since,
}: ProofCheck): readonly string[] {
  return [
    ...(findings.length > 0
      ? []
      : [
          `As recorded: ${packed === undefined ? "" : `what npm packs of ${count(packed, "package")}, `}${count(resolutions, "resolution")} of yarn.lock; no other resolution has changed.`,
        ]),
    ...(packed === undefined
      ? [
          "Not compared: what npm packs. The files differ from those in the source.",
        ]
      : []),
    ...saySince(since),
  ];
}

/** Renders later changes, which aren't faults of the migration, in one line. */
function saySince({ unpacked, moved }: ProofCheck["since"]): readonly string[] {
  return [
    ...(unpacked.length > 0
      ? [
          `Since then: npm packs ${count(unpacked.length, "file")} less: ${some(unpacked)}.`,
        ]
      : []),
    ...(moved.length > 0
      ? [
          `Since then: ${count(moved.length, "resolution")} moved: ${some(moved.map(({ descriptor, after }) => `${descriptor} -> ${after}`))}.`,
        ]
      : []),
  ];
}

function sentence(finding: Finding): string {
  switch (finding.kind) {
    case "history-gone":
      // A merge of the history over the squash isn't enough: both have the same files, so `git log -- path` would show
      // only the squash.
      return `The migrated history (${finding.tip.slice(0, 12)}) is not in this branch: its merge was squashed or rebased. Way out: undo the squash with \`git revert\`, then bring it by a merge commit: \`git merge --no-ff ${finding.whole ?? "<the branch of the migration>"}\`.`;
    case "commits-gone":
      return `${count(finding.count, "migrated commit is", "migrated commits are")} not in this repository: what holds them was not pushed, or its merge was squashed or rebased. Way out: where it was migrated, \`git push origin ${finding.tip}:refs/heads/migrated\`; then fetch it here.`;
    case "branch-lost":
      return `No branch ${shortRef(finding.ref)} any more: ${FATES.lost}. Way out: fetch ${finding.id} from someone who still has it.`;
    case "tree-differs":
      return `${finding.difference.new.slice(0, 12)} does not have the files of ${finding.difference.old.slice(0, 12)} at ${printable(finding.difference.path)}.`;
    case "tag-gone":
      return `The tag ${printable(finding.ref)} is gone.`;
    case "tag-moved":
      return `The tag ${printable(finding.ref)} was moved to ${finding.to.slice(0, 12)}.`;
    case "sample-differs":
      return `git ${finding.sample.what} of ${printable(finding.sample.path)} doesn't read as in the source.`;
    case "packed-differs":
      return `npm packs of ${printable(finding.dir)}, ${finding.side === "home" ? "in the source" : "as it landed"}, not what the record says: ${some([...finding.gone.map((path) => `-${path}`), ...finding.came.map((path) => `+${path}`)])}.`;
    case "resolution-differs":
      return `yarn.lock, as it landed, has ${printable(finding.moved.descriptor)} at ${printable(finding.moved.after)}, and the record at ${printable(finding.moved.before)}.`;
    case "workspace-moved":
      return `The migration changed a resolution of the workspace: ${printable(finding.moved.descriptor)} from ${printable(finding.moved.before)} to ${printable(finding.moved.after)}.`;
  }
}
