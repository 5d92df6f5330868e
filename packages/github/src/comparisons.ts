import { brokenAnswer, type Client } from "./client.js";
import { readFiles, type RemoteFile } from "./files.js";
import { showRepository, type RepositoryName } from "./repository-name.js";

/** The differences between the merge base of two commits and the second of them. */
export interface Comparison {
  readonly mergeBase: string;
  /** The head's position relative to the base. */
  readonly relation: "ahead" | "behind" | "diverged" | "identical";
  readonly files: readonly RemoteFile[];
  /**
   * True if the list has {@link COMPARISON_FILES_CAP} files or more. GitHub lists no more and doesn't report the rest.
   */
  readonly mayBeCut: boolean;
}

/** See https://docs.github.com/rest/commits/commits#compare-two-commits */
export const COMPARISON_FILES_CAP = 300;

/**
 * Compares two commits as `git diff base...head` does.
 * @param base a commit's id, or a branch's or tag's name
 * @throws {GitHubError} `not-found` if one of them doesn't exist, or they have no common ancestor
 */
export async function readComparison(
  client: Client,
  { owner, name }: RepositoryName,
  base: string,
  head: string,
): Promise<Comparison> {
  const basehead = `${base}...${head}`;
  const data = await client.ask((octokit) =>
    octokit.rest.repos.compareCommitsWithBasehead({
      owner,
      repo: name,
      basehead,
      // Pages contain commits, which aren't needed. The first page has all files.
      per_page: 1,
    }),
  );
  if (!data.files)
    throw brokenAnswer(
      `GET /repos/${showRepository({ owner, name })}/compare/${encodeURIComponent(basehead)}`,
      "a comparison without its list of files",
    );
  return {
    mergeBase: data.merge_base_commit.sha,
    relation: data.status,
    files: readFiles(data.files),
    mayBeCut: data.files.length >= COMPARISON_FILES_CAP,
  };
}
