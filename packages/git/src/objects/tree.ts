import type { ObjectReader } from "./cat-file.js";
import type { Git } from "../git.js";

/** A file in a tree. */
export interface TreeEntry {
  /** The path from the top, separated by `/`. */
  readonly path: string;
  /** Git's six-digit mode: `100644`, `100755`, `120000` (symlink), `160000` (submodule). */
  readonly mode: string;
  /** The id of its blob, or of its commit for a submodule. */
  readonly id: string;
}

/** Files by path, at one point in time. This is a port, for a commit in git, a commit behind an API, or the disk. */
export interface Tree {
  /** The name in messages: a commit's id, `the working tree`. */
  readonly name: string;
  /** Lists all files, in git's order, without the files of submodules. */
  list(): Promise<readonly TreeEntry[]>;
  /**
   * Returns the content of one file, or the target of a symlink.
   * @returns undefined if the path doesn't exist or is a folder or submodule
   */
  read(path: string): Promise<Buffer | undefined>;
}

/**
 * Returns the tree of a commit. In a clone without blobs, the list needs no download, and each read fetches its blob.
 * Before `list` is called, a read walks the trees of its path. Afterwards it uses the blob's id, which is twenty times
 * faster for many files.
 * @param commit a full commit id, of this repository
 * @param objects a reader that the caller closes
 */
export function commitTree(
  git: Git,
  objects: ObjectReader,
  commit: string,
): Tree {
  let listing: Promise<readonly TreeEntry[]> | undefined;
  let byPath: Promise<ReadonlyMap<string, TreeEntry>> | undefined;

  const list = () =>
    (listing ??= git
      .run(["ls-tree", "-r", "-z", "--full-tree", "--end-of-options", commit])
      .then(({ stdout }) => parseLsTree(stdout)));

  const index = () =>
    (byPath ??= list().then(
      (entries) => new Map(entries.map((entry) => [entry.path, entry])),
    ));

  return {
    name: commit,
    list,
    async read(path) {
      // `<commit>:<path>` cannot express these: a newline ends a request, and git resolves a leading dot relative to
      // its folder.
      const unsayable = path.includes("\n") || /^\.{0,2}(\/|$)/.test(path);
      if (!listing && !unsayable) return blob(objects, `${commit}:${path}`);
      const entry = (await index()).get(path);
      if (!entry || entry.mode === "160000") return undefined;
      return blob(objects, entry.id);
    },
  };
}

async function blob(
  objects: ObjectReader,
  name: string,
): Promise<Buffer | undefined> {
  const object = await objects.read(name);
  return object?.type === "blob" ? object.content : undefined;
}

/**
 * Parses the output of `ls-tree -r -z`: a sequence of `<mode> <type> <id>\t<path>\0`.
 * @throws an Error if the bytes have another form, which would be a bug
 */
export function parseLsTree(bytes: Buffer): TreeEntry[] {
  const entries: TreeEntry[] = [];
  // Offsets instead of regular expressions: for fifty thousand files this takes a third of the time.
  const text = bytes.toString("utf8");
  for (let start = 0; start < text.length;) {
    const nul = text.indexOf("\0", start);
    const end = nul < 0 ? text.length : nul;
    const tab = text.indexOf("\t", start);
    const id = text.slice(text.lastIndexOf(" ", tab) + 1, tab);
    const isEntry =
      text[start + 6] === " " &&
      (id.length === 40 || id.length === 64) &&
      tab + 1 < end;
    if (!isEntry)
      throw new Error(
        `not a git tree: ${JSON.stringify(text.slice(start, end))}`,
      );
    const mode = text.slice(start, start + 6);
    entries.push({ path: text.slice(tab + 1, end), mode, id });
    start = end + 1;
  }
  return entries;
}
