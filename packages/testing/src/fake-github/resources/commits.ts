import { ApiError, notFound, type Route } from "../http.js";
import { readCommit, resolveCommit, type StoredCommit } from "../git-store.js";
import type { FakeRepository } from "../state.js";

const ID = /^[0-9a-f]{40}$/;

/** The verification of unsigned commits. */
const VERIFICATION = {
  verified: false,
  reason: "unsigned",
  signature: null,
  payload: null,
  verified_at: null,
};

/** Describes the git object of a commit: `GET …/git/commits/{commit_sha}`. */
function describeGitCommit(
  id: string,
  { author, committer, message, tree, parents }: StoredCommit,
  repository: FakeRepository,
) {
  const url = `${repository.url}/git`;
  const page = `${repository.page}/commit`;
  return {
    sha: id,
    node_id: `C_${id}`,
    url: `${url}/commits/${id}`,
    html_url: `${page}/${id}`,
    author,
    committer,
    message,
    tree: { sha: tree, url: `${url}/trees/${tree}` },
    parents: parents.map((sha) => ({
      sha,
      url: `${url}/commits/${sha}`,
      html_url: `${page}/${sha}`,
    })),
    verification: VERIFICATION,
  };
}

/** Describes a commit of a repository's history. Its authors have no accounts on GitHub. */
export function describeCommit(
  id: string,
  commit: StoredCommit,
  repository: FakeRepository,
) {
  const { node_id, html_url, parents, ...git } = describeGitCommit(
    id,
    commit,
    repository,
  );
  const url = `${repository.url}/commits`;
  return {
    sha: id,
    node_id,
    url: `${url}/${id}`,
    html_url,
    comments_url: `${url}/${id}/comments`,
    commit: {
      url: git.url,
      author: git.author,
      committer: git.committer,
      message: git.message,
      tree: git.tree,
      comment_count: 0,
      verification: git.verification,
    },
    author: null,
    committer: null,
    parents: parents.map(({ sha, html_url }) => ({
      sha,
      url: `${url}/${sha}`,
      html_url,
    })),
  };
}

/** Commits, by name and as git objects. */
export const commits: readonly Route[] = [
  {
    operation: "GET /repos/{owner}/{repo}/commits/{ref}",
    permission: "contents",
    async answer(request) {
      const { repository, params } = request;
      const ref = params["ref"] ?? "";
      const id = await resolveCommit(
        repository.dir,
        ref.replace(/^heads\//, ""),
      );
      const commit = id && (await readCommit(repository.dir, id));
      if (!commit) throw new ApiError(422, `No commit found for SHA: ${ref}`);
      return {
        body: describeCommit(id, commit, repository),
      };
    },
  },
  {
    operation: "GET /repos/{owner}/{repo}/git/commits/{commit_sha}",
    permission: "contents",
    async answer(request) {
      const { repository, params } = request;
      const id = params["commit_sha"] ?? "";
      const commit = ID.test(id)
        ? await readCommit(repository.dir, id)
        : undefined;
      if (!commit) throw notFound();
      return {
        body: describeGitCommit(id, commit, repository),
      };
    },
  },
];
