import type { Client } from "./client.js";
import { GitHubError } from "./errors.js";
import type { RepositoryName } from "./repository-name.js";

/**
 * Reads the name of the default branch, the default base of pull requests.
 * @throws {GitHubError}
 */
export async function readDefaultBranch(
  client: Client,
  { owner, name }: RepositoryName,
): Promise<string> {
  const data = await client.ask((octokit) =>
    octokit.rest.repos.get({ owner, repo: name }),
  );
  return data.default_branch;
}

/**
 * Reads the commit that a branch, a tag or a commit's id names.
 * @returns undefined if the name doesn't exist
 * @throws {GitHubError}
 */
export async function resolveRef(
  client: Client,
  { owner, name }: RepositoryName,
  ref: string,
): Promise<string | undefined> {
  try {
    const data = await client.ask((octokit) =>
      octokit.rest.repos.getCommit({ owner, repo: name, ref, per_page: 1 }),
    );
    return data.sha;
  } catch (error) {
    // GitHub answers 422 if no commit has this name. 404 would mean that the repository doesn't exist.
    if (error instanceof GitHubError && error.status === 422) return undefined;
    throw error;
  }
}
