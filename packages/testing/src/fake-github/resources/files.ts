import type { DiffEntry } from "../git-store.js";
import type { FakeRepository } from "../state.js";

/**
 * Describes a file of a pull request or a comparison. It has no `patch`, because GitHub leaves it out for binary and
 * large files, and no code may depend on it.
 * @see https://docs.github.com/rest/pulls/pulls#list-pull-requests-files
 */
export function describeFile(
  entry: DiffEntry,
  repository: FakeRepository,
  head: string,
) {
  const path = encodeURIComponent(entry.path);
  const { url, page } = repository;
  return {
    sha: entry.id,
    filename: entry.path,
    status: entry.status,
    additions: entry.additions,
    deletions: entry.deletions,
    changes: entry.additions + entry.deletions,
    blob_url: `${page}/blob/${head}/${path}`,
    raw_url: `${page}/raw/${head}/${path}`,
    contents_url: `${url}/contents/${path}?ref=${head}`,
    ...(entry.previousPath !== undefined && {
      previous_filename: entry.previousPath,
    }),
  };
}
