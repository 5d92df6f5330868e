import { count, printable } from "@skein/reporting";
import type { StoredRecord } from "../record/record.js";
import { countBehind, isBehind, type Behind } from "../sync/behind.js";
import { compareTips } from "../sync/compare-tips.js";
import { differenceLines } from "../sync/render-differences.js";
import { whatIsNew } from "../sync/what-is-new.js";
import type { TargetFacts } from "../survey/target.js";
import { shortRef } from "../words/problem-words.js";
import type { WorkRun } from "../work/work.js";
import { declaredOtherwise } from "./declared-otherwise.js";
import type { SourceLook } from "./look-at-sources.js";
import type { BatchNote, BatchRow } from "./render-batch.js";

/**
 * Compares a migrated repository with its source. It fetches only if a branch or a tag of the source has changed since.
 * @throws {SourceError} if git can't reach the source
 * @throws {Failure} if the source's branch no longer exists
 */
export async function compareWithSource(
  run: WorkRun,
  { request, address, announcement }: SourceLook,
  stored: StoredRecord,
  target: TargetFacts,
): Promise<
  Pick<BatchRow, "state" | "behind" | "branches" | "figures" | "tags" | "notes">
> {
  const { name, receipt, madeTags } = stored.record;
  const brought = { figures: receipt.figures, tags: madeTags.length };
  const differing = differenceLines(
    stored.record,
    await compareTips(target.git, stored, target.head ?? ""),
  ).map(followUp);
  if (!address || !announcement)
    return {
      state: "done",
      ...brought,
      ...(differing.length > 0 && { notes: differing }),
    };
  const behind = await countBehind(
    await whatIsNew(stored, announcement, target),
    stored,
    address,
    () => run.open(address),
  );
  const left = [
    ...behind.left.map((words) => `unchanged: ${words}`),
    ...declaredOtherwise(request, stored.record),
  ]
    .map(followUp)
    .concat(differing);
  if (!isBehind(behind)) return { state: "done", ...brought, notes: left };
  return {
    state: "stale",
    behind: behind.commits,
    ...(behind.branches.length > 0 && { branches: behind.branches }),
    ...brought,
    notes: [
      ...newsOf(behind),
      ...left,
      followUp(`migrate-repo sync ${name} merges them`),
    ],
  };
}

/** Returns notes about new commits and tags outside the main branch. */
function newsOf({ branches, tags }: Behind): readonly BatchNote[] {
  return [
    ...branches.map(({ to, isNew, commits }) =>
      followUp(
        `branch ${shortRef(to)}: ${isNew ? "new, with" : "stale by"} ${count(commits, "commit")}`,
      ),
    ),
    ...tags.map((name) => followUp(`tag ${printable(name)}: new`)),
  ];
}

function followUp(text: string): BatchNote {
  return { topic: "follow-up", text };
}
