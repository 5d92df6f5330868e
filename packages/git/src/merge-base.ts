import type { Git } from "./git.js";
import { canBeRef } from "./refs.js";

/**
 * All best common ancestors of two commits. After criss-cross merges there are several; then what changed is the
 * union of the differences from each, which can only be too much, never too little.
 * @param a full commit ids, or refs that are known to be safe and to exist
 * @returns their ids; empty when the history that is here has none
 */
export async function mergeBases(
  git: Git,
  a: string,
  b: string,
): Promise<string[]> {
  const { stdout } = await git.run(
    ["merge-base", "--all", "--end-of-options", a, b],
    { answers: [0, 1] },
  );
  return ids(stdout);
}

/**
 * The same for refs that may not exist: asked at once, beside the question whether they do.
 * @param a, b anything `git rev-parse` takes; never an option
 * @returns undefined where one of them names no commit
 */
export async function tryMergeBases(
  git: Git,
  a: string,
  b: string,
): Promise<string[] | undefined> {
  if (!canBeRef(a) || !canBeRef(b)) return undefined;
  const { stdout, exitCode } = await git.run(
    ["merge-base", "--all", "--end-of-options", a, b],
    { answers: [0, 1, 128] },
  );
  return exitCode === 128 ? undefined : ids(stdout);
}

function ids(stdout: Buffer): string[] {
  return stdout.toString("latin1").split("\n").filter(Boolean);
}
