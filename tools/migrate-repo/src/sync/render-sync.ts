import { count, formatBytes, printable } from "@skein/reporting";
import type { MigrationRecord } from "../record/record-format.js";
import { present, shortRef } from "../words/problem-words.js";
import type { BranchNews } from "./branches.js";
import type { ReadySync } from "./build-sync.js";
import type { TipDifference } from "./compare-tips.js";
import { differenceLines } from "./render-differences.js";

/** The result of a sync; if nothing is new, only the skipped branches. */
export type SyncNews = Pick<ReadySync, "branches"> &
  Partial<Omit<ReadySync, "branches">> & {
    readonly differences?: readonly TipDifference[];
  };

/** Renders what a sync will merge and the work that it leaves to people, before the landing. */
export function renderSync(
  { name, branch, placements }: MigrationRecord,
  built: ReadySync,
): string {
  return present([
    `${name}: ${count(built.commits, "new commit")} and ${count(built.tags, "new tag")} of ${branch}.`,
    ...built.branches.coming.map(
      ({ to, before }) =>
        `branch ${shortRef(to)}: ${before === undefined ? "new" : "moved on"}`,
    ),
    built.rewritten &&
      "warning: the source's branch was rewritten since the last sync; the dropped commits stay in the workspace's history.",
    built.lfs.count > 0 &&
      `${count(built.lfs.count, "object")} (${formatBytes(built.lfs.size)}) of Git LFS fetched; to see the files: git lfs checkout ${placements.map(({ to }) => to).join(" ")}`,
    ...built.conflicts.map((path) => `conflict: ${printable(path)}`),
    built.followUps.length > 0 && "Left to you, because a sync only merges:",
    ...built.followUps.flatMap(({ what, why }) => [
      ...what.map((line) => `  ${printable(line)}`),
      `    because ${printable(why)}`,
    ]),
    renderLeft(built.branches),
  ]).join("\n");
}

/** Renders skipped branches, one on each line. */
export function renderLeft({ left }: BranchNews): string {
  return left.map((words) => `unchanged: ${words}\n`).join("");
}

/** Renders the differences from the source's tip, a line for each reason. */
export function renderDifferences(
  record: MigrationRecord,
  differences: readonly TipDifference[],
): string {
  return differenceLines(record, differences)
    .map((line) => `${line}\n`)
    .join("");
}

/** Returns `{"event":"sync", …}`: what the sync will merge, before the landing. */
export function syncEvent(
  { name, branch }: MigrationRecord,
  {
    branches,
    commits = 0,
    tags = 0,
    rewritten = false,
    conflicts = [],
    lfs,
    followUps = [],
    differences = [],
  }: SyncNews,
): object {
  return {
    event: "sync",
    name,
    branch,
    commits,
    tags,
    branches: branches.coming.map(({ name: from, to, before }) => ({
      from: `refs/heads/${from}`,
      to,
      isNew: before === undefined,
    })),
    left: branches.left,
    rewritten,
    conflicts,
    ...(lfs &&
      lfs.count > 0 && { lfs: { objects: lfs.count, bytes: lfs.size } }),
    followUps,
    ...(differences.length > 0 && { differences }),
  };
}
