import type { ApiRequest, Route } from "../http.js";
import { ApiError, notFound, paged } from "../http.js";
import type { FakeArtifact, FakeRepository, FakeRun, State } from "../state.js";
import { runOf } from "./runs.js";

/** The path of archives. They are not part of the API, and need no token. */
const STORE = "/_store";
const KEPT_MS = 90 * 24 * 3_600_000;

function describeArtifact(
  artifact: FakeArtifact,
  run: FakeRun,
  repository: FakeRepository,
) {
  const url = `${repository.url}/actions/artifacts/${artifact.id}`;
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
      repository_id: repository.id,
      head_repository_id: repository.id,
      head_branch: run.headBranch,
      head_sha: run.headSha,
    },
  };
}

function listArtifacts(request: ApiRequest, runs: readonly FakeRun[]) {
  const { repository } = request;
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
    headers,
    body: {
      total_count: found.length,
      artifacts: items.map(({ artifact, run }) =>
        describeArtifact(artifact, run, repository),
      ),
    },
  };
}

function artifactOf({ repository, params }: ApiRequest) {
  for (const run of repository.runs)
    for (const artifact of run.artifacts)
      if (String(artifact.id) === params["artifact_id"])
        return { artifact, run, repository };
  throw notFound();
}

/** Lists and downloads of artifacts. */
export const artifacts: readonly Route[] = [
  {
    operation: "GET /repos/{owner}/{repo}/actions/runs/{run_id}/artifacts",
    permission: "actions",
    answer: (request) => listArtifacts(request, [runOf(request)]),
  },
  {
    operation: "GET /repos/{owner}/{repo}/actions/artifacts",
    permission: "actions",
    answer: (request) => listArtifacts(request, request.repository.runs),
  },
  {
    operation: "GET /repos/{owner}/{repo}/actions/artifacts/{artifact_id}",
    permission: "actions",
    answer(request) {
      const { artifact, run, repository } = artifactOf(request);
      return {
        body: describeArtifact(artifact, run, repository),
      };
    },
  },
  {
    operation:
      "GET /repos/{owner}/{repo}/actions/artifacts/{artifact_id}/{archive_format}",
    permission: "actions",
    answer(request) {
      const { artifact } = artifactOf(request);
      if (artifact.expired) throw new ApiError(410, "Artifact has expired");
      const location = `${new URL(request.state.url).origin}${STORE}/${artifact.id}`;
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
