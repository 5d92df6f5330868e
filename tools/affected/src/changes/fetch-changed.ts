import type { Changeset } from "@skein/changes";
import { fetchBlobs, type Repository } from "@skein/git";
import {
  fetchProjectFiles,
  isOfProject,
  missingFiles,
} from "@skein/workspaces";

/**
 * Fetches the former versions of changed files that a project is read from, in one request. If the head isn't HEAD, it
 * also fetches the project's files at that head.
 * @throws {Failure} if the remote doesn't provide the former versions
 */
export async function fetchChanged(
  repository: Repository,
  { head, changes }: Changeset,
): Promise<void> {
  if (head && head.commit !== repository.head)
    await fetchProjectFiles(repository, head.commit);
  const message = await fetchBlobs(
    repository.git,
    changes.flatMap(({ path, oldId }) =>
      oldId !== undefined && isOfProject(path) ? [oldId] : [],
    ),
  );
  if (message !== undefined) throw missingFiles(message);
}
