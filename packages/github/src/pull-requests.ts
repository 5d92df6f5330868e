import { brokenAnswer, type Client } from "./client.js";
import { readFiles, type RemoteFile } from "./files.js";
import type { PullRequestName, RepositoryName } from "./repository-name.js";
import { showRepository } from "./repository-name.js";

/** The base or head of a pull request. */
export interface PullRequestEnd {
  /** The branch, without `refs/heads/`. */
  readonly branch: string;
  readonly commit: string;
  /** `owner/name`; undefined if the fork was deleted. */
  readonly repository: string | undefined;
}

export interface PullRequest {
  readonly number: number;
  readonly base: PullRequestEnd;
  readonly head: PullRequestEnd;
  /** The number of changed files according to GitHub. A renamed file counts once. */
  readonly changedFiles: number;
}

/** A pull request with the fields that GitHub's list contains. */
export interface OpenPullRequest {
  readonly number: number;
  /** Untrusted text: it must not reach a shell, a ref or Markdown unescaped. */
  readonly title: string;
  /** The login; undefined if the account was deleted. */
  readonly author: string | undefined;
  readonly draft: boolean;
  readonly base: PullRequestEnd;
  readonly head: PullRequestEnd;
}

/**
 * The maximum number of files that GitHub lists for a pull request. It doesn't report the rest:
 * https://docs.github.com/rest/pulls/pulls#list-pull-requests-files
 */
export const PULL_REQUEST_FILES_CAP = 3000;

/**
 * Reads one pull request.
 * @throws {GitHubError} `not-found`
 */
export async function readPullRequest(
  client: Client,
  { repository, number }: PullRequestName,
): Promise<PullRequest> {
  const data = await client.ask((octokit) =>
    octokit.rest.pulls.get({
      owner: repository.owner,
      repo: repository.name,
      pull_number: number,
    }),
  );
  if (
    typeof data.changed_files !== "number" ||
    !data.base.sha ||
    !data.head.sha
  )
    throw brokenAnswer(
      `GET /repos/${showRepository(repository)}/pulls/${number}`,
      "a pull request without its commits or its number of changed files",
    );
  return {
    number: data.number,
    base: endOf(data.base),
    head: endOf(data.head),
    changedFiles: data.changed_files,
  };
}

/**
 * Reads all open pull requests of a repository, oldest first.
 * @param head selects only those from this branch of this owner
 * @throws {GitHubError} `not-found`
 */
export async function readOpenPullRequests(
  client: Client,
  repository: RepositoryName,
  head?: { readonly owner: string; readonly branch: string },
): Promise<readonly OpenPullRequest[]> {
  const found = new Map<number, OpenPullRequest>();
  const pages = client.pages(
    (octokit, page) =>
      octokit.rest.pulls.list({
        owner: repository.owner,
        repo: repository.name,
        state: "open",
        // Oldest first: new pull requests then appear at the end and shift no page.
        sort: "created",
        direction: "asc",
        ...(head && { head: `${head.owner}:${head.branch}` }),
        ...page,
      }),
    (data) => data,
  );
  for await (const page of pages)
    for (const { number, title, user, draft, base, head } of page)
      found.set(number, {
        number,
        title,
        author: user?.login,
        draft: draft ?? false,
        base: endOf(base),
        head: endOf(head),
      });
  return [...found.values()];
}

/** A pull request that brought a commit, with the fields of GitHub's list. */
export interface MergedPull {
  readonly number: number;
  readonly head: PullRequestEnd;
}

/**
 * Reads the merged pull requests that brought a commit into the default branch.
 * @throws {GitHubError}
 * @see https://docs.github.com/rest/commits/commits#list-pull-requests-associated-with-a-commit
 */
export async function readPullRequestsOf(
  client: Client,
  { owner, name }: RepositoryName,
  commit: string,
): Promise<readonly MergedPull[]> {
  const pulls = await client.ask((octokit) =>
    octokit.rest.repos.listPullRequestsAssociatedWithCommit({
      owner,
      repo: name,
      commit_sha: commit,
    }),
  );
  return pulls
    .filter(({ merged_at: merged }) => merged !== null)
    .map(({ number, head }) => ({ number, head: endOf(head) }));
}

function endOf(end: {
  readonly ref: string;
  readonly sha: string;
  // The client types it as always present, but it is null for the head of a deleted fork.
  readonly repo: { readonly full_name: string } | null;
}): PullRequestEnd {
  return {
    branch: end.ref,
    commit: end.sha,
    repository: end.repo?.full_name,
  };
}

/**
 * Reads all pages of a pull request's files: at most {@link PULL_REQUEST_FILES_CAP}. Only {@link
 * PullRequest.changedFiles} shows whether the list is complete.
 * @throws {GitHubError}
 */
export async function readPullRequestFiles(
  client: Client,
  { repository, number }: PullRequestName,
): Promise<readonly RemoteFile[]> {
  const files: RemoteFile[] = [];
  const pages = client.pages(
    (octokit, page) =>
      octokit.rest.pulls.listFiles({
        owner: repository.owner,
        repo: repository.name,
        pull_number: number,
        ...page,
      }),
    readFiles,
  );
  for await (const page of pages) files.push(...page);
  return files;
}
