import { brokenAnswer } from "./client.js";
import type { Client } from "./client.js";
import type { RemoteFile } from "./files.js";
import { readFiles } from "./files.js";
import type { RepositoryName } from "./repository-name.js";
import { showRepository } from "./repository-name.js";

/** What differs between the merge base of two commits and the second of them. */
export interface Comparison {
  readonly mergeBase: string;
  /** Where the head is, seen from the base. */
  readonly relation: "ahead" | "behind" | "diverged" | "identical";
  readonly files: readonly RemoteFile[];
  /** True: GitHub lists no more than {@link COMPARISON_FILES_CAP} files, and says nothing about the rest. */
  readonly mayBeCut: boolean;
}

/** https://docs.github.com/rest/commits/commits#compare-two-commits */
export const COMPARISON_FILES_CAP = 300;

/**
 * Compares as `git diff base...head` does.
 * @param base a commit's id, or a branch's or tag's name
 * @throws {GitHubError} `not-found` where one of them is unknown, or they have no common ancestor
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
      // Pages are of commits, which we do not read; the first one has all files.
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
