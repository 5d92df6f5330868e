import type { Git } from "../git.js";

/**
 * Returns all best common ancestors of two commits. Criss-cross merges have several. The changes are then the union of
 * the differences from each, which may include too much but never too little.
 * @param a full commit id, or ref that exists and cannot be an option; so is b
 * @returns their ids; empty if the clone's history contains none
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
