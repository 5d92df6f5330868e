import type { Git } from "./git.js";

/**
 * Returns all best common ancestors of two commits. After criss-cross merges there are several; then what changed is the
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

function ids(stdout: Buffer): string[] {
  return stdout.toString("latin1").split("\n").filter(Boolean);
}
