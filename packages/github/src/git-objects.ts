import { brokenAnswer, type Client } from "./client.js";
import { showRepository, type RepositoryName } from "./repository-name.js";

/** A file, symlink or submodule of a commit. */
export interface RemoteTreeEntry {
  /** The path from the repository's top, separated by `/`. */
  readonly path: string;
  /** Git's six-digit file mode. */
  readonly mode: string;
  readonly id: string;
}

interface Listing {
  readonly entries: readonly (RemoteTreeEntry & { readonly type: string })[];
  readonly truncated: boolean;
}

/**
 * Lists all files of a commit. GitHub truncates a recursive listing at 100,000 entries or 7 MB and reports that. The
 * folders are then listed one by one.
 * @param commit a commit's or a tree's id
 * @throws {GitHubError} `not-found`; `broken-answer` if a single folder is too large for a listing
 * @see https://docs.github.com/rest/git/trees#get-a-tree
 */
export async function readTree(
  client: Client,
  repository: RepositoryName,
  commit: string,
): Promise<readonly RemoteTreeEntry[]> {
  const whole = await list(client, repository, commit, true);
  const entries = whole.truncated
    ? (await walk(client, repository, commit, "")).flat()
    : whole.entries;
  return entries
    .filter(({ type }) => type !== "tree")
    .map(({ path, mode, id }) => ({ path, mode, id }));
}

/**
 * Reads the id of a file or folder at the top of a commit. Equal ids mean equal contents.
 * @returns undefined if the commit has none of that name
 * @throws {GitHubError} `not-found`; `broken-answer` if the top is too large for a listing
 */
export async function readTopEntry(
  client: Client,
  repository: RepositoryName,
  { commit, name }: { readonly commit: string; readonly name: string },
): Promise<string | undefined> {
  const { entries, truncated } = await list(client, repository, commit, false);
  const found = entries.find(({ path }) => path === name);
  if (found === undefined && truncated)
    throw brokenAnswer(
      `GET /repos/${showRepository(repository)}/git/trees/${commit}`,
      "a folder with more files than GitHub lists",
    );
  return found?.id;
}

async function walk(
  client: Client,
  repository: RepositoryName,
  id: string,
  prefix: string,
): Promise<Listing["entries"]> {
  const { entries, truncated } = await list(client, repository, id, false);
  if (truncated)
    throw brokenAnswer(
      `GET /repos/${showRepository(repository)}/git/trees/${id}`,
      "a folder with more files than GitHub lists",
    );
  const parts = await Promise.all(
    entries.map(async (entry) => {
      const path = prefix + entry.path;
      if (entry.type !== "tree") return [{ ...entry, path }];
      const below = await list(client, repository, entry.id, true);
      if (below.truncated)
        return walk(client, repository, entry.id, `${path}/`);
      return below.entries.map((inner) => ({
        ...inner,
        path: `${path}/${inner.path}`,
      }));
    }),
  );
  return parts.flat();
}

async function list(
  client: Client,
  { owner, name }: RepositoryName,
  id: string,
  recursive: boolean,
): Promise<Listing> {
  const data = await client.ask((octokit) =>
    octokit.rest.git.getTree({
      owner,
      repo: name,
      tree_sha: id,
      ...(recursive && { recursive: "1" }),
    }),
  );
  return {
    entries: data.tree.map(({ path, mode, type, sha }) => ({
      path,
      mode,
      type,
      id: sha,
    })),
    truncated: data.truncated,
  };
}

/**
 * Reads a blob's bytes. GitHub returns up to 100 MB.
 * @throws {GitHubError}
 */
export async function readBlob(
  client: Client,
  { owner, name }: RepositoryName,
  id: string,
): Promise<Buffer> {
  // This requests JSON: GitHub labels the raw media type as text, and decoding it would lose bytes.
  const data = await client.ask((octokit) =>
    octokit.rest.git.getBlob({ owner, repo: name, file_sha: id }),
  );
  const content = Buffer.from(data.content, "base64");
  if (data.encoding !== "base64" || content.length !== data.size)
    throw brokenAnswer(
      `GET /repos/${showRepository({ owner, name })}/git/blobs/${id}`,
      "a file whose length differs from its size",
    );
  return content;
}
