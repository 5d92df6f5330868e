import {
  splitNul,
  DIFF_RAW_ARGS,
  openObjects,
  parseDiffRaw,
  type Git,
} from "@skein/git";
import type { StoredRecord } from "../record/record.js";
import { parseRecord, type MigrationRecord } from "../record/record-format.js";
import { listCommits, presentObjects } from "../survey/commits.js";

/** A file that differs from the source's tip that was merged last. */
export interface TipDifference {
  /** The path in the workspace. */
  readonly path: string;
  readonly why:
    /** Changed, added or removed in the workspace. */
    | { readonly kind: "changed-here" }
    /** Changed by a commit that was merged earlier, and that the source has dropped since with a force push. */
    | { readonly kind: "dropped-there"; readonly commit: string };
}

/**
 * Compares the files of a migration in the workspace with those of the source's tip that was merged last. Files that
 * only the migration itself changed (its clean-up, its registration) don't count.
 * @param git git that can read the grafted history
 * @param head the workspace's commit
 * @throws {GitError}
 */
export async function compareTips(
  git: Git,
  stored: StoredRecord,
  head: string,
): Promise<readonly TipDifference[]> {
  const { record } = stored;
  const { tip, landed, removed } = record;
  if ((await presentObjects(git, "commit", [tip.new])).length === 0) return [];
  const differing = await changedPaths(git, record, tip.new, head);
  if (differing.length === 0) return [];
  const dropped = await droppedChanges(git, stored, head);
  const isLandedHere =
    landed !== undefined &&
    (await presentObjects(git, "commit", [landed.after])).length > 0;
  const sinceLanding = new Set(
    isLandedHere
      ? await changedPaths(git, record, landed.after, head)
      : differing,
  );
  return differing.flatMap((path): readonly TipDifference[] => {
    const commit = dropped.get(path);
    if (commit !== undefined)
      return [{ path, why: { kind: "dropped-there", commit } }];
    return sinceLanding.has(path) && !removed.includes(path)
      ? [{ path, why: { kind: "changed-here" } }]
      : [];
  });
}

/** Returns paths below the migration's folders that differ between two commits. */
async function changedPaths(
  git: Git,
  { placements }: MigrationRecord,
  from: string,
  to: string,
): Promise<readonly string[]> {
  const { stdout } = await git.run([
    ...[...DIFF_RAW_ARGS, from, to, "--"],
    ...placements.map((placement) => placement.to),
  ]);
  return parseDiffRaw(stdout).map(({ path }) => path);
}

/**
 * Returns the paths that dropped commits changed, each with the last of these commits. An earlier run merged these
 * commits, and the source's history no longer has them. The result is empty for a move or squash, because each of its
 * merges uses the source's tip as it is.
 */
async function droppedChanges(
  git: Git,
  { record, commit }: StoredRecord,
  head: string,
): Promise<ReadonlyMap<string, string>> {
  const changes = new Map<string, string>();
  if (record.history !== "graft") return changes;
  const earlier = await earlierTips(git, commit);
  if (earlier.length === 0) return changes;
  const dropped = await listCommits(git, earlier, [record.tip.new]);
  if (dropped.length === 0) return changes;
  const here = new Set(await listCommits(git, [head], [record.tip.new]));
  const { stdout } = await git.run(
    ["diff-tree", "--stdin", "-r", "-m", "--root", "--name-only", "-z"],
    {
      input: dropped
        .filter((id) => here.has(id))
        .map((id) => `${id}\n`)
        .join(""),
    },
  );
  const ids = new Set(dropped);
  let at = "";
  for (const word of splitNul(stdout))
    if (ids.has(word)) at = word;
    else if (!changes.has(word)) changes.set(word, at);
  return changes;
}

/** Lists the tips that earlier runs merged, newest first; each run added a commit to the record's ref. */
async function earlierTips(
  git: Git,
  commit: string,
): Promise<readonly string[]> {
  const { stdout } = await git.run(["rev-list", `${commit}^@`], {
    answers: [0, 128],
  });
  const commits = stdout.toString("latin1").split("\n").filter(Boolean);
  using objects = openObjects(git);
  const tips = await Promise.all(
    commits.map(async (id) => {
      const text = (await objects.read(`${id}:migration.json`))?.content;
      if (!text) return [];
      const { tip } = parseRecord(text);
      return [tip.new];
    }),
  );
  return await presentObjects(git, "commit", [...new Set(tips.flat())]);
}
