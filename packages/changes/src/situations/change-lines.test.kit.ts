import { openRepository } from "@skein/git";
import { gitTestEnv } from "@skein/testing";
import type { Changeset } from "../changeset.js";
import { readGitChangeset } from "../git-changeset.js";
import type { GitChangesetRequest } from "../git-changeset.js";

/**
 * Reads the changeset of a folder as the command does: with the working tree, without fetching, and throwing errors.
 */
export async function changesetOf(
  cwd: string,
  request: Partial<GitChangesetRequest> = {},
  env: Readonly<Record<string, string>> = {},
): Promise<Changeset> {
  const repository = await openRepository({
    cwd,
    env: { ...gitTestEnv, ...env },
  });
  return readGitChangeset(repository, {
    workingTree: true,
    deepen: "never",
    onMissingBase: "error",
    ...request,
  });
}

/** Returns a changeset's changes, one line each: `committed modified a.txt`. */
export function lines({ changes }: Pick<Changeset, "changes">): string[] {
  return changes.map(({ origin, kind, path }) => `${origin} ${kind} ${path}`);
}
