import type { Client } from "./client.js";
import type { PullRequestName, RepositoryName } from "./repository-name.js";

/** A comment in the conversation of a pull request. */
export interface Comment {
  readonly id: number;
  readonly body: string;
  /** The author's login; undefined if the account was deleted. */
  readonly author: string | undefined;
}

/** The maximum length of a comment on GitHub, in characters. */
export const COMMENT_CAP = 65_536;

/**
 * Reads all comments of a pull request's conversation, oldest first.
 * @throws {GitHubError}
 */
export async function readComments(
  client: Client,
  { repository: { owner, name }, number }: PullRequestName,
): Promise<readonly Comment[]> {
  const comments: Comment[] = [];
  const pages = client.pages(
    (octokit, page) =>
      octokit.rest.issues.listComments({
        owner,
        repo: name,
        issue_number: number,
        ...page,
      }),
    (data) =>
      data.map(({ id, body, user }) => ({
        id,
        body: body ?? "",
        author: user?.login,
      })),
  );
  for await (const page of pages) comments.push(...page);
  return comments;
}

/**
 * Writes a comment.
 * @returns its id
 * @throws {GitHubError}
 */
export async function writeComment(
  client: Client,
  { repository: { owner, name }, number }: PullRequestName,
  body: string,
): Promise<number> {
  const { id } = await client.ask((octokit) =>
    octokit.rest.issues.createComment({
      owner,
      repo: name,
      issue_number: number,
      body,
    }),
  );
  return id;
}

/**
 * Replaces a comment's text.
 * @throws {GitHubError}
 */
export async function editComment(
  client: Client,
  { owner, name }: RepositoryName,
  id: number,
  body: string,
): Promise<void> {
  await client.ask((octokit) =>
    octokit.rest.issues.updateComment({
      owner,
      repo: name,
      comment_id: id,
      body,
    }),
  );
}
