import type { Tree, TreeEntry } from "@skein/git";
import type { GitHub, RepositoryName } from "@skein/github";
import { showRepository } from "@skein/github";

/** Blobs that were already read, by client. Base and head of a change share most of their manifests. */
const blobs = new WeakMap<GitHub, Map<string, Promise<Buffer>>>();

/**
 * Returns the files of a commit, read through GitHub without a clone. The first call lists the whole tree, with one
 * request, or more if GitHub truncates the list. Each file that is read for the first time takes one more request.
 * @param commit a full commit id
 * @returns a tree whose methods throw {@link GitHubError}
 */
export function githubTree(
  github: GitHub,
  repository: RepositoryName,
  commit: string,
): Tree {
  let listing: Promise<readonly TreeEntry[]> | undefined;
  let byPath: Promise<ReadonlyMap<string, TreeEntry>> | undefined;
  const list = () => (listing ??= github.tree(repository, commit));
  const index = () =>
    (byPath ??= list().then(
      (entries) => new Map(entries.map((entry) => [entry.path, entry])),
    ));
  return {
    name: commit,
    list,
    async read(path) {
      const entry = (await index()).get(path);
      // A submodule's commit is in another repository.
      if (!entry || entry.mode === "160000") return undefined;
      return readOnce(github, repository, entry.id);
    },
  };
}

function readOnce(
  github: GitHub,
  repository: RepositoryName,
  id: string,
): Promise<Buffer> {
  const known = blobs.get(github) ?? new Map<string, Promise<Buffer>>();
  blobs.set(github, known);
  const key = `${showRepository(repository)} ${id}`;
  let blob = known.get(key);
  if (!blob) {
    blob = github.blob(repository, id);
    known.set(key, blob);
    // A failure is not cached, so that the next call retries.
    blob.catch(() => known.delete(key));
  }
  return blob;
}
