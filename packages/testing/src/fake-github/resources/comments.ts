import type { ApiRequest, Route } from "../http.js";
import { ApiError, notFound, paged } from "../http.js";
import type { FakeComment, FakeRepository } from "../state.js";
import { describeUser } from "./users.js";

/** The maximum length of a comment that GitHub accepts. */
const CAP = 65_536;

function describeComment(
  { id, body, author, pull }: FakeComment,
  repository: FakeRepository,
) {
  const url = `${repository.url}/issues`;
  return {
    id,
    node_id: `IC_${id}`,
    body,
    user: describeUser(author),
    url: `${url}/comments/${id}`,
    issue_url: `${url}/${pull}`,
    html_url: `${repository.page}/pull/${pull}#issuecomment-${id}`,
    created_at: "2026-01-01T00:00:00Z",
    updated_at: "2026-01-01T00:00:00Z",
    author_association: "NONE",
  };
}

function bodyOf({ body }: ApiRequest): string {
  const text = (body as { body?: unknown } | undefined)?.body;
  if (typeof text !== "string" || text === "" || text.length > CAP)
    throw new ApiError(422, "Validation Failed");
  return text;
}

function pullNumberOf({ repository, params }: ApiRequest): number {
  const number = Number(params["issue_number"]);
  if (!repository.pulls.some((pull) => pull.number === number))
    throw notFound();
  return number;
}

/** Comments of pull requests: list, write and edit. */
export const comments: readonly Route[] = [
  {
    operation: "GET /repos/{owner}/{repo}/issues/{issue_number}/comments",
    permission: "issues",
    answer(request) {
      const { repository } = request;
      const number = pullNumberOf(request);
      const { items, headers } = paged(
        request,
        repository.comments.filter(({ pull }) => pull === number),
      );
      return {
        headers,
        body: items.map((each) => describeComment(each, repository)),
      };
    },
  },
  {
    operation: "POST /repos/{owner}/{repo}/issues/{issue_number}/comments",
    permission: "issues=write",
    answer(request) {
      const { repository } = request;
      const comment: FakeComment = {
        id: request.state.nextId(),
        pull: pullNumberOf(request),
        // The login of a workflow's own token.
        author: "github-actions[bot]",
        body: bodyOf(request),
      };
      repository.comments.push(comment);
      return {
        status: 201,
        body: describeComment(comment, repository),
      };
    },
  },
  {
    operation: "PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}",
    permission: "issues=write",
    answer(request) {
      const { repository } = request;
      const comment = repository.comments.find(
        ({ id }) => String(id) === request.params["comment_id"],
      );
      if (!comment) throw notFound();
      comment.body = bodyOf(request);
      return { body: describeComment(comment, repository) };
    },
  },
];
