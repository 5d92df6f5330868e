import { count, printable } from "@skein/reporting";
import type { MigrationRecord } from "../record.js";
import type { Finding, Verification } from "./verify.js";

/** What was proved, and what speaks against it. */
export function renderVerification(
  record: MigrationRecord,
  { commits, tags, samples, findings }: Verification,
): string {
  if (findings.length === 0)
    return `${record.name}: nothing is missing. ${count(commits, "commit")} with the very files of their originals, ${count(tags, "tag")}, log and blame of ${count(samples, "file")} as at home.\n`;
  return [
    `${record.name}: ${count(findings.length, "finding")}.`,
    ...findings.slice(0, 20).map((finding) => `  ${sentence(finding)}`),
    ...(findings.length > 20 ? [`  and ${findings.length - 20} more`] : []),
    "",
  ].join("\n");
}

function sentence(finding: Finding): string {
  switch (finding.kind) {
    case "history-gone":
      return `The migrated history (${finding.tip.slice(0, 12)}) is not in this branch: its merge was squashed or rebased. Way out: merge ${finding.tip} again with \`git merge --no-ff -s ours ${finding.tip}\`, and merge pull requests of migrations with a merge commit.`;
    case "tree-differs":
      return `${finding.difference.new.slice(0, 12)} does not have the files of ${finding.difference.old.slice(0, 12)} at ${printable(finding.difference.path)}.`;
    case "tag-gone":
      return `The tag ${printable(finding.ref)} is gone.`;
    case "tag-moved":
      return `The tag ${printable(finding.ref)} was moved to ${finding.to.slice(0, 12)}.`;
    case "sample-differs":
      return `git ${finding.sample.what} of ${printable(finding.sample.path)} does not read as at home.`;
  }
}
