import type { Changeset } from "@skein/changes";
import { fetchBlobs } from "@skein/git";
import type { Repository } from "@skein/git";
import {
  fetchProjectFiles,
  isOfProject,
  missingFiles,
} from "@skein/workspaces";

/**
 * Fetches, in one request, the former versions of changed files that a project is read from; and its files at another head
 * than HEAD.
 * @throws {Failure} if the remote does not give them
 */
export async function fetchChanged(
  repository: Repository,
  { head, changes }: Changeset,
): Promise<void> {
  if (head && head.commit !== repository.head)
    await fetchProjectFiles(repository, head.commit);
  const said = await fetchBlobs(
    repository.git,
    changes.flatMap(({ path, oldId }) =>
      oldId !== undefined && isOfProject(path) ? [oldId] : [],
    ),
  );
  if (said !== undefined) throw missingFiles(said);
}
