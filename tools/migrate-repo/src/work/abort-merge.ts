import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { splitNul, DIFF_RAW_ARGS, parseDiffRaw, type Git } from "@skein/git";
import type { Merging } from "../landing/journal.js";
import { exists } from "../landing/file-moves.js";
import { differing } from "../landing/landing-progress.js";
import { mergeTrees } from "./merge.js";

/** The places that are necessary to remove a merge from the working tree. */
export interface MergePlace {
  readonly git: Git;
  readonly topLevel: string;
  /** The folder of the migration, absolute. */
  readonly scratch: string;
}

/**
 * Aborts a merge as `git merge --abort` does, but keeps other changes that the user has staged: git would unstage them,
 * and remove new files among them. It records them in a file first, so that a kill in between loses nothing.
 */
export async function abortWhole(
  place: MergePlace,
  merging: Merging,
): Promise<void> {
  const { git, scratch } = place;
  const note = join(scratch, "staged");
  const { stdout } = await git.run([
    ...["diff-index", "--cached", ...DIFF_RAW_ARGS.slice(1), "HEAD"],
  ]);
  const merged = await mergedPaths(place, merging);
  const staged = parseDiffRaw(stdout).filter(
    ({ path, kind }) => !merged.has(path) && kind !== "unmerged",
  );
  const lines = async (paths: readonly string[], tree?: string) => {
    const found = await git.run(
      tree === undefined
        ? ["ls-files", "--stage", "-z", "--", ...paths]
        : ["ls-tree", "-r", "-z", tree, "--", ...paths],
    );
    const gone = paths.map(
      (path) => `0 ${"0".repeat(merging.head.length)}\t${path}\0`,
    );
    return gone.join("") + found.stdout.toString("utf8");
  };
  const paths = staged.map(({ path }) => path);
  if (paths.length > 0) {
    await writeFile(note, await lines(paths));
    await putEntries(git, await lines(paths, "HEAD"));
  }
  await git.run(["merge", "--abort"]);
  await stageAgain(place);
}

/** Stages the changes that `abortWhole` recorded, also after a kill. */
export async function stageAgain({ git, scratch }: MergePlace): Promise<void> {
  const note = join(scratch, "staged");
  const entries = await readFile(note, "utf8").catch(() => undefined);
  if (entries === undefined) return;
  await putEntries(git, entries);
  await rm(note);
}

/**
 * Removes the files that a killed `git merge` wrote and the index doesn't hold. It removes or restores only files that
 * are byte for byte the result of the merge.
 */
export async function removeMergeLeftovers(
  place: MergePlace,
  merging: Merging,
): Promise<void> {
  const { git, topLevel, scratch } = place;
  const tree = await mergedTree(git, merging);
  const paths = [...(await mergedPaths(place, merging))];
  const [asMerged, asBefore] = ["merge", "before"].map((name) =>
    join(scratch, `index-${name}`),
  ) as [string, string];
  for (const [file, of] of [
    [asMerged, tree],
    [asBefore, merging.head],
  ] as const)
    await git.run(["read-tree", of], { env: { GIT_INDEX_FILE: file } });
  const at = { topLevel };
  const other = await differing(git, at, asMerged, paths);
  const changed = await differing(git, at, asBefore, paths);
  const known = await git.run(["ls-tree", "-r", "-z", "--name-only", "HEAD"]);
  const before = new Set(splitNul(known.stdout));
  const back = [];
  for (const path of paths) {
    const file = join(topLevel, path);
    if (other.has(path) || !(await exists(file))) continue;
    if (!before.has(path)) await rm(file);
    else if (changed.has(path)) back.push(path);
  }
  await git.run(["checkout-index", "--force", "-z", "--stdin"], {
    input: back.map((path) => `${path}\0`).join(""),
    env: { GIT_INDEX_FILE: asBefore },
  });
}

async function putEntries(git: Git, entries: string): Promise<void> {
  await git.run(["update-index", "-z", "--index-info"], { input: entries });
}

async function mergedTree(git: Git, { mergeHead }: Merging): Promise<string> {
  // HEAD is named as in `git merge`, because conflict markers hold the names.
  return (await mergeTrees(git, "HEAD", mergeHead)).tree;
}

/** Returns paths that the merge changes, including those with conflicts. */
async function mergedPaths(
  { git }: MergePlace,
  merging: Merging,
): Promise<ReadonlySet<string>> {
  const tree = await mergedTree(git, merging);
  const { stdout } = await git.run([...DIFF_RAW_ARGS, merging.head, tree]);
  const unmerged = await git.run(["ls-files", "--unmerged", "-z"]);
  return new Set([
    ...parseDiffRaw(stdout).map(({ path }) => path),
    ...splitNul(unmerged.stdout).map((line) =>
      line.slice(line.indexOf("\t") + 1),
    ),
  ]);
}
