import type { ObjectReader } from "./cat-file.js";
import type { Git } from "./git.js";

/** One file of a tree. */
export interface TreeEntry {
  /** From the top, `/` between its parts. */
  readonly path: string;
  /** Git's six digits: `100644`, `100755`, `120000` (symlink), `160000` (submodule). */
  readonly mode: string;
  /** The id of its blob (of its commit, for a submodule). */
  readonly id: string;
}

/** Files by path, at one moment. A port: a commit in git, a commit behind an API, the disk. */
export interface Tree {
  /** Its name for people: a commit's id, `the working tree`. */
  readonly name: string;
  /** All files, in git's order. The files of a submodule are not among them. */
  list(): Promise<readonly TreeEntry[]>;
  /**
   * The content of one file; where it points, for a symlink.
   * @returns undefined when there is no file of that path (nothing, a folder, a submodule)
   */
  read(path: string): Promise<Buffer | undefined>;
}

/**
 * Returns the tree of a commit. In a clone without blobs the list costs no download, and each read fetches its blob.
 * Before the list is asked for, a read walks the trees of its path; after it, it goes by blob id (twenty times
 * quicker where there are many).
 * @param commit a full commit id, of this repository
 * @param objects stays the caller's, who closes it
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
      // `<commit>:<path>` cannot say these: a newline ends a request, and git resolves a leading dot from its folder.
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
 * Reads `ls-tree -r -z`: `<mode> <type> <id>\t<path>\0`, again and again.
 * @throws an Error when the bytes are not of that form, which would be a bug
 */
export function parseLsTree(bytes: Buffer): TreeEntry[] {
  const entries: TreeEntry[] = [];
  // Places instead of patterns: of fifty thousand files that takes a third of the time.
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
