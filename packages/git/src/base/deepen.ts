import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { mergeBases } from "./merge-base.js";
import type { Remote } from "./remote.js";
import type { Repository } from "../repository.js";

/**
 * The numbers of commits that the steps of deepening add. Each step costs a round trip, and a large step a large
 * download.
 */
const STEPS = [50, 200, 800, 3200];

type Clone = Pick<Repository, "git" | "commonDir">;

/**
 * Deepens a shallow clone until the merge base of two commits is certain, or the history is complete.
 * @returns the merge bases; empty if the complete history has none
 * @throws the remote's errors
 */
export async function deepenUntilMergeBase(
  clone: Clone,
  remote: Remote,
  a: string,
  b: string,
): Promise<readonly string[]> {
  const flags = [...STEPS.map((step) => `--deepen=${step}`), "--unshallow"];
  for (const flag of flags) {
    const { bases, cut } = await knownMergeBases(clone, a, b);
    if (cut.length === 0) return bases;
    await remote.fetch([flag], cut);
  }
  return (await knownMergeBases(clone, a, b)).bases;
}

/**
 * Deepens the history of a commit in a shallow clone until `find` succeeds, or the history is complete.
 * @param find is called after each step
 * @throws the remote's errors
 */
export async function deepenUntilFound<Found>(
  { git, commonDir }: Clone,
  remote: Remote,
  commit: string,
  find: () => Promise<Found | undefined>,
): Promise<Found | undefined> {
  const flags = [...STEPS.map((step) => `--deepen=${step}`), "--unshallow"];
  for (const flag of flags) {
    const cut = await cutEnds({ git, commonDir }, [commit]);
    if (cut.length === 0) return undefined;
    await remote.fetch([flag], cut);
    const found = await find();
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The merge bases of two commits, as far as their histories are in the clone. */
export interface KnownMergeBases {
  readonly bases: readonly string[];
  /**
   * The commits between the tips and their merge bases at which the history of a shallow clone was cut. As long as
   * there are any, they may hide a nearer merge base. A comparison with a farther one misses a change that one side has
   * undone.
   */
  readonly cut: readonly string[];
}

/**
 * Finds the merge bases of two commits, as far as their histories are in the clone.
 * @param known the result of `mergeBases`, if the caller already has it
 */
export async function knownMergeBases(
  { git, commonDir }: Clone,
  a: string,
  b: string,
  known?: readonly string[],
): Promise<KnownMergeBases> {
  const bases = known ?? (await mergeBases(git, a, b));
  // A tip that is an ancestor of the other tip is the nearest possible merge base.
  if (bases.includes(a) || bases.includes(b)) return { bases, cut: [] };
  const revisions = [a, b, ...bases.map((id) => `^${id}`)];
  return { bases, cut: await cutEnds({ git, commonDir }, revisions) };
}

/** Returns the commits at which the history of these revisions was cut. `^id` excludes the history of `id`. */
async function cutEnds(
  { git, commonDir }: Clone,
  revisions: readonly string[],
): Promise<readonly string[]> {
  const [ends, boundary] = await Promise.all([
    // A commit at which history was cut appears to have no parents.
    git.run(["rev-list", "--max-parents=0", ...revisions]),
    readBoundary(commonDir),
  ]);
  return ends.stdout
    .toString("latin1")
    .split("\n")
    .filter((id) => boundary.has(id));
}

/**
 * Returns the commits at which history was cut: the file `shallow` in the common git folder, one id per line
 * (gitrepository-layout(5)).
 */
async function readBoundary(commonDir: string): Promise<ReadonlySet<string>> {
  let text = "";
  try {
    text = await readFile(join(commonDir, "shallow"), "latin1");
  } catch (error) {
    // The file doesn't exist if the history is complete.
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  return new Set(text.split("\n").filter(Boolean));
}
