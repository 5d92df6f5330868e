import type { ObjectReader } from "./cat-file.js";
import type { Git } from "./git.js";
import { splitNul } from "./split-nul.js";

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
  /** What to call it in words to the user: a commit's id, `the working tree`. */
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
 * The tree of a commit. In a clone without blobs the list costs no download, and each read fetches its blob.
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
  for (const line of splitNul(bytes)) {
    const match = /^(\d{6}) [a-z]+ ([0-9a-f]+)\t([^]+)$/.exec(line);
    if (!match) throw new Error(`not a git tree: ${JSON.stringify(line)}`);
    const [, mode = "", id = "", path = ""] = match;
    entries.push({ path, mode, id });
  }
  return entries;
}
