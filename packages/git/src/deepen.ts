import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { mergeBases } from "./merge-base.js";
import type { Remote } from "./remote.js";
import type { Repository } from "./repository.js";

/** How much more history is asked for, step by step: each costs a round, and too much at once costs a download. */
const STEPS = [50, 200, 800, 3200];

type Clone = Pick<Repository, "git" | "commonDir">;

/**
 * Deepens a shallow clone until two commits have a certain merge base, or its history is whole.
 * @returns the merge bases; empty when the whole history has none
 * @throws what the remote throws
 */
export async function deepenUntilMergeBase(
  clone: Clone,
  remote: Remote,
  a: string,
  b: string,
): Promise<readonly string[]> {
  const flags = [...STEPS.map((step) => `--deepen=${step}`), "--unshallow"];
  for (const flag of flags) {
    const { bases, cut } = await meeting(clone, a, b);
    if (cut.length === 0) return bases;
    await remote.fetch([flag], cut);
  }
  return (await meeting(clone, a, b)).bases;
}

/**
 * Deepens the history of a commit of a shallow clone until something in it is found, or it is whole.
 * @param find looks again after each step
 * @throws what the remote throws
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

/** Where two histories meet, as far as they are here. */
export interface Meeting {
  readonly bases: readonly string[];
  /**
   * The commits where a shallow clone's history was cut between the tips and where they meet. While there are any, a
   * nearer merge base may be hidden; and from a farther one, a change that one side undid is not seen at all.
   */
  readonly cut: readonly string[];
}

/** @param known the answer of `mergeBases`, where the caller has it already */
export async function meeting(
  { git, commonDir }: Clone,
  a: string,
  b: string,
  known?: readonly string[],
): Promise<Meeting> {
  const bases = known ?? (await mergeBases(git, a, b));
  // A tip that the other one holds is the nearest there can be.
  if (bases.includes(a) || bases.includes(b)) return { bases, cut: [] };
  const revisions = [a, b, ...bases.map((id) => `^${id}`)];
  return { bases, cut: await cutEnds({ git, commonDir }, revisions) };
}

/** Returns the commits where the history of these (`^id`: without that of this one) was cut. */
async function cutEnds(
  { git, commonDir }: Clone,
  revisions: readonly string[],
): Promise<readonly string[]> {
  const [ends, boundary] = await Promise.all([
    // Where history was cut, a commit seems to have no parents.
    git.run(["rev-list", "--max-parents=0", ...revisions]),
    readBoundary(commonDir),
  ]);
  return ends.stdout
    .toString("latin1")
    .split("\n")
    .filter((id) => boundary.has(id));
}

/** Returns the commits where history was cut: `shallow` in the common git folder, an id a line (gitrepository-layout(5)). */
async function readBoundary(commonDir: string): Promise<ReadonlySet<string>> {
  let text = "";
  try {
    text = await readFile(join(commonDir, "shallow"), "latin1");
  } catch (error) {
    // Gone once the history is whole.
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  return new Set(text.split("\n").filter(Boolean));
}
