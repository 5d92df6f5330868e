import type { ApiRequest, Route } from "../http.js";
import { ApiError, notFound, paged } from "../http.js";
import type { FakeComment, FakeRepository, State } from "../state.js";
import { repositoryOf } from "./repositories.js";
import { describeUser } from "./users.js";

/** The maximum length of a comment that GitHub accepts. */
const CAP = 65_536;

function describeComment(
  { id, body, author, pull }: FakeComment,
  repository: FakeRepository,
  state: State,
) {
  const url = `${state.url}/repos/${repository.fullName}/issues`;
  return {
    id,
    node_id: `IC_${id}`,
    body,
    user: describeUser(author),
    url: `${url}/comments/${id}`,
    issue_url: `${url}/${pull}`,
    html_url: `https://github.com/${repository.fullName}/pull/${pull}#issuecomment-${id}`,
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

function pullNumberOf(request: ApiRequest, repository: FakeRepository): number {
  const number = Number(request.params["issue_number"]);
  if (!repository.pulls.some((pull) => pull.number === number))
    throw notFound();
  return number;
}

/** Comments of pull requests: list, write and edit. */
export const comments: readonly Route[] = [
  {
    operation: "GET /repos/{owner}/{repo}/issues/{issue_number}/comments",
    permission: "issues",
    answer(request, state) {
      const repository = repositoryOf(request, state);
      const number = pullNumberOf(request, repository);
      const { items, headers } = paged(
        request,
        repository.comments.filter(({ pull }) => pull === number),
      );
      return {
        status: 200,
        headers,
        body: items.map((each) => describeComment(each, repository, state)),
      };
    },
  },
  {
    operation: "POST /repos/{owner}/{repo}/issues/{issue_number}/comments",
    permission: "issues=write",
    answer(request, state) {
      const repository = repositoryOf(request, state);
      const comment: FakeComment = {
        id: state.nextId(),
        pull: pullNumberOf(request, repository),
        // The login of a workflow's own token.
        author: "github-actions[bot]",
        body: bodyOf(request),
      };
      repository.comments.push(comment);
      return {
        status: 201,
        body: describeComment(comment, repository, state),
      };
    },
  },
  {
    operation: "PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}",
    permission: "issues=write",
    answer(request, state) {
      const repository = repositoryOf(request, state);
      const comment = repository.comments.find(
        ({ id }) => String(id) === request.params["comment_id"],
      );
      if (!comment) throw notFound();
      comment.body = bodyOf(request);
      return { status: 200, body: describeComment(comment, repository, state) };
    },
  },
];
