import type { Client } from "./client.js";
import { GitHubError } from "./errors.js";
import type { RepositoryName } from "./repository-name.js";

/** The branch that pull requests go to unless told otherwise. @throws {GitHubError} */
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
 * The commit that a branch, a tag or a commit's id names.
 * @returns undefined where there is none of that name
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
    // 422 is GitHub's answer for a name that no commit has; 404 would be the repository.
    if (error instanceof GitHubError && error.status === 422) return undefined;
    throw error;
  }
}
