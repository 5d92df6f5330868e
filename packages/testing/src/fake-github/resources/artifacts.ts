import type { ApiRequest, Route } from "../http.js";
import { ApiError, notFound, paged } from "../http.js";
import type { FakeArtifact, FakeRepository, FakeRun, State } from "../state.js";
import { repositoryOf } from "./repositories.js";
import { runOf } from "./runs.js";

/** The path of archives. They are not part of the API, and need no token. */
const STORE = "/_store";
const KEPT_MS = 90 * 24 * 3_600_000;

function describeArtifact(
  artifact: FakeArtifact,
  run: FakeRun,
  { fullName, id }: FakeRepository,
  state: State,
) {
  const url = `${state.url}/repos/${fullName}/actions/artifacts/${artifact.id}`;
  return {
    id: artifact.id,
    node_id: `A_${artifact.id}`,
    name: artifact.name,
    size_in_bytes: artifact.archive.length,
    url,
    archive_download_url: `${url}/zip`,
    expired: artifact.expired,
    created_at: artifact.createdAt,
    updated_at: artifact.createdAt,
    expires_at: new Date(
      Date.parse(artifact.createdAt) + KEPT_MS,
    ).toISOString(),
    workflow_run: {
      id: run.id,
      repository_id: id,
      head_repository_id: id,
      head_branch: run.headBranch,
      head_sha: run.headSha,
    },
  };
}

function listArtifacts(
  request: ApiRequest,
  state: State,
  runs: readonly FakeRun[],
) {
  const repository = repositoryOf(request, state);
  const name = request.query.get("name");
  const found = runs
    .flatMap((run) =>
      run.artifacts
        .filter((artifact) => name === null || artifact.name === name)
        .map((artifact) => ({ artifact, run })),
    )
    // Newest first.
    .sort((a, b) => b.artifact.id - a.artifact.id);
  const { items, headers } = paged(request, found);
  return {
    status: 200,
    headers,
    body: {
      total_count: found.length,
      artifacts: items.map(({ artifact, run }) =>
        describeArtifact(artifact, run, repository, state),
      ),
    },
  };
}

function artifactOf(request: ApiRequest, state: State) {
  const repository = repositoryOf(request, state);
  for (const run of repository.runs)
    for (const artifact of run.artifacts)
      if (String(artifact.id) === request.params["artifact_id"])
        return { artifact, run, repository };
  throw notFound();
}

/** Lists and downloads of artifacts. */
export const artifacts: readonly Route[] = [
  {
    operation: "GET /repos/{owner}/{repo}/actions/runs/{run_id}/artifacts",
    permission: "actions",
    answer: (request, state) =>
      listArtifacts(request, state, [runOf(request, state)]),
  },
  {
    operation: "GET /repos/{owner}/{repo}/actions/artifacts",
    permission: "actions",
    answer: (request, state) =>
      listArtifacts(request, state, repositoryOf(request, state).runs),
  },
  {
    operation: "GET /repos/{owner}/{repo}/actions/artifacts/{artifact_id}",
    permission: "actions",
    answer(request, state) {
      const { artifact, run, repository } = artifactOf(request, state);
      return {
        status: 200,
        body: describeArtifact(artifact, run, repository, state),
      };
    },
  },
  {
    operation:
      "GET /repos/{owner}/{repo}/actions/artifacts/{artifact_id}/{archive_format}",
    permission: "actions",
    answer(request, state) {
      const { artifact } = artifactOf(request, state);
      if (artifact.expired) throw new ApiError(410, "Artifact has expired");
      const location = `${new URL(state.url).origin}${STORE}/${artifact.id}`;
      return { status: 302, headers: { location } };
    },
  },
];

/** Returns the store's answer: the archive at a path that the API has redirected to. */
export function storedArchive(
  path: string,
  state: State,
): Uint8Array | undefined {
  if (!path.startsWith(`${STORE}/`)) return undefined;
  const id = path.slice(STORE.length + 1);
  for (const { runs } of state.repositories.values())
    for (const run of runs)
      for (const artifact of run.artifacts)
        if (String(artifact.id) === id) return artifact.archive;
  return undefined;
}
