import { brokenAnswer, type Client } from "./client.js";
import { showRepository, type RepositoryName } from "./repository-name.js";

/** Files that a run stored, as one zip archive. */
export interface Artifact {
  readonly id: number;
  /** Undefined if GitHub no longer reports the run. */
  readonly run: number | undefined;
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  /** Whether GitHub has deleted it. */
  readonly expired: boolean;
  /** ISO 8601, by GitHub's clock. Undefined if GitHub doesn't report it. */
  readonly created: string | undefined;
}

/**
 * Lists the artifacts of all attempts of a run.
 * @param only the name of the artifacts; undefined for all
 * @throws {GitHubError}
 */
export async function readArtifacts(
  client: Client,
  { owner, name }: RepositoryName,
  run: number,
  only?: string,
): Promise<readonly Artifact[]> {
  const found: Artifact[] = [];
  const pages = client.pages(
    (octokit, page) =>
      octokit.rest.actions.listWorkflowRunArtifacts({
        owner,
        repo: name,
        run_id: run,
        ...(only !== undefined && { name: only }),
        ...page,
      }),
    ({ artifacts }) => artifacts.map(readArtifact),
  );
  for await (const page of pages) found.push(...page);
  return found;
}

/**
 * Lists the newest 100 artifacts of a repository's runs: one request instead of one per run.
 * @throws {GitHubError}
 * @see https://docs.github.com/rest/actions/artifacts#list-artifacts-for-a-repository
 */
export async function readNewestArtifacts(
  client: Client,
  { owner, name }: RepositoryName,
): Promise<readonly Artifact[]> {
  const { artifacts } = await client.ask((octokit) =>
    octokit.rest.actions.listArtifactsForRepo({
      owner,
      repo: name,
      per_page: 100,
    }),
  );
  return artifacts.map(readArtifact);
}

interface ArtifactData {
  readonly id: number;
  readonly name: string;
  readonly size_in_bytes: number;
  readonly expired: boolean;
  readonly created_at: string | null;
  readonly workflow_run?: { readonly id?: number } | null;
}

function readArtifact(data: ArtifactData): Artifact {
  const { id, name, size_in_bytes: size, expired, workflow_run } = data;
  const created = data.created_at ?? undefined;
  return { id, run: workflow_run?.id, name, size, expired, created };
}

/**
 * Downloads an archive. Callers should check its size first, because the archive is held in memory.
 * @throws {GitHubError} `not-found` if it has expired
 */
export async function downloadArtifact(
  client: Client,
  { owner, name }: RepositoryName,
  id: number,
): Promise<Uint8Array> {
  const data = await client.ask((octokit) =>
    octokit.rest.actions.downloadArtifact({
      owner,
      repo: name,
      artifact_id: id,
      archive_format: "zip",
    }),
  );
  // The client follows the redirect to the archive, and types the result as unknown.
  if (!(data instanceof ArrayBuffer))
    throw brokenAnswer(
      `GET /repos/${showRepository({ owner, name })}/actions/artifacts/${id}/zip`,
      "no archive",
    );
  return new Uint8Array(data);
}
