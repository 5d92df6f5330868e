import type { Git } from "@skein/git";

/**
 * Which of these commits a repository holds. Originals may have been left out (`--no-originals`); then git brings the
 * whole history again, and the map tells what is known.
 */
export async function presentCommits(
  git: Git,
  ids: readonly string[],
): Promise<readonly string[]> {
  const { stdout } = await git.run(
    ["cat-file", "--batch-check=%(objecttype)"],
    { input: ids.map((id) => `${id}\n`).join("") },
  );
  const kinds = stdout.toString().split("\n");
  return ids.filter((_, index) => kinds[index] === "commit");
}

/** Whether one commit is in the history of another; false too where either is not there. */
export async function isAncestor(
  git: Git,
  ancestor: string,
  commit: string,
): Promise<boolean> {
  const { exitCode } = await git.run(
    ["merge-base", "--is-ancestor", ancestor, commit],
    { answers: [0, 1, 128] },
  );
  return exitCode === 0;
}
