import { brokenAnswer } from "./client.js";
import type { Client } from "./client.js";
import type { RepositoryName } from "./repository-name.js";
import { showRepository } from "./repository-name.js";

/** Files that a run has kept, as one zip archive. */
export interface Artifact {
  readonly id: number;
  /** Undefined where GitHub does not know it any more. */
  readonly run: number | undefined;
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  /** True: GitHub has thrown it away. */
  readonly expired: boolean;
  /** By GitHub's clock; ISO 8601. Undefined where GitHub does not tell. */
  readonly created: string | undefined;
}

/**
 * Lists what a run has kept, in all its attempts.
 * @param only the name of those that are asked for; undefined for all
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
 * Lists the newest 100 of all that the runs of a repository have kept: one request instead of one for each run.
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
 * Downloads an archive. Look at its size before: it is held in memory.
 * @throws {GitHubError} `not-found` where it has expired
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
  // Typed as unknown by the client, which follows the redirect to the archive.
  if (!(data instanceof ArrayBuffer))
    throw brokenAnswer(
      `GET /repos/${showRepository({ owner, name })}/actions/artifacts/${id}/zip`,
      "no archive",
    );
  return new Uint8Array(data);
}
