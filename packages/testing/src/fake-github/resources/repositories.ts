import type { ApiRequest, Route } from "../http.js";
import { notFound } from "../http.js";
import type { FakeRepository, State } from "../state.js";

/** The repository a request is about. @throws a 404 where there is none */
export function repositoryOf(
  { params }: ApiRequest,
  state: State,
): FakeRepository {
  const name = `${params["owner"] ?? ""}/${params["repo"] ?? ""}`;
  const found = state.repositories.get(name.toLowerCase());
  if (!found) throw notFound();
  return found;
}

/** A repository as GitHub describes it inside other resources. */
export function describeRepository(repository: FakeRepository, state: State) {
  return {
    id: repository.id,
    name: repository.name,
    full_name: repository.fullName,
    private: repository.private,
    fork: repository.fork,
    owner: { login: repository.owner, type: "User" },
    default_branch: repository.defaultBranch,
    url: `${state.url}/repos/${repository.fullName}`,
    html_url: `https://github.com/${repository.fullName}`,
    clone_url: `https://github.com/${repository.fullName}.git`,
    visibility: repository.private ? "private" : "public",
  };
}

export const repositories: readonly Route[] = [
  {
    operation: "GET /repos/{owner}/{repo}",
    permission: "metadata",
    answer: (request, state) => ({
      status: 200,
      body: describeRepository(repositoryOf(request, state), state),
    }),
  },
];
