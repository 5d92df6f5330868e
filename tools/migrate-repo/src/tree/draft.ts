import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { openObjects, withEnv, type Git } from "@skein/git";
import { objectId } from "../objects/object-id.js";
import { storeObjects } from "../objects/store-objects.js";
import { canonicalMode } from "../objects/tree-object.js";
import { Folder, namesOf, type FileNode } from "./folder.js";

/** A file of a tree. */
export interface TreeFile {
  readonly path: string;
  /** Six digits: `100644`, `100755`, `120000` (symlink), `160000` (submodule). */
  readonly mode: string;
  readonly id: string;
}

/** A read-only view of a tree. Paths are relative to its top, with `/` between their parts. */
export interface TreeView {
  /** Returns the files at or below a path, in git's order; `""` is everything. */
  list(under: string): Promise<readonly TreeFile[]>;
  /** Returns a file's bytes (a symlink's target); undefined if there is no such file. */
  read(path: string): Promise<Buffer | undefined>;
  /** Returns a listed file's bytes. For many files this is cheaper than by path. Undefined for a submodule. */
  content(file: TreeFile): Promise<Buffer | undefined>;
  /** Returns one file; undefined if there is no such file. */
  stat(path: string): Promise<TreeFile | undefined>;
}

/**
 * A tree that can be changed without a working tree. Changes are visible at once, and `save` writes a git tree.
 * Disposal closes the reader of objects.
 */
export interface Draft extends TreeView, Disposable {
  /** Writes a file. It keeps its mode; a new one gets `100644`. */
  write(path: string, content: Buffer | string): Promise<void>;
  remove(path: string): Promise<void>;
  /** Puts a whole tree at a free path. */
  place(path: string, tree: string): Promise<void>;
  /** Puts one file whose content git already has. */
  link(path: string, file: Omit<TreeFile, "path">): Promise<void>;
  /** Saves the tree. @returns its id */
  save(): Promise<string>;
  /** Saves the tree of a folder. @returns its id; undefined if there is no such folder */
  saveFolder(path: string): Promise<string | undefined>;
  /**
   * Checks out files into a folder, byte for byte, without filter programs or line-ending settings.
   * @param chosen whether to check out a path; default: all
   */
  checkOut(dir: string, chosen?: (path: string) => boolean): Promise<void>;
}

/**
 * Opens a draft of a tree. It reads only the requested folders, which stay in memory: reading a file of a big workspace
 * costs a few tree objects, and no process.
 * @param git git in the repository for reads and writes: the quarantine
 * @param tree a tree or commit id
 * @param scratch a folder for temporary files
 */
export async function openDraft(
  git: Git,
  tree: string,
  scratch: string,
): Promise<Draft> {
  const objects = openObjects(git);
  const root = await objects.read(`${tree}^{tree}`);
  if (root?.type !== "tree") throw new Error(`${tree} isn't a tree`);
  const read = async (id: string) => {
    const object = await objects.read(id);
    if (object?.type !== "tree") throw new Error(`${id} isn't a tree`);
    return object.content;
  };
  const top = new Folder(root.id, read);
  const objectFormat = root.id.length === 40 ? "sha1" : "sha256";
  /** Contents that git doesn't have yet, by id. */
  const written = new Map<string, Buffer>();

  const list = async (under: string): Promise<readonly TreeFile[]> => {
    const parts = namesOf(under);
    const found = parts.length === 0 ? top : await top.find(parts);
    if (found === undefined) return [];
    return found instanceof Folder
      ? found.files(under)
      : [{ path: under, ...found }];
  };
  const stat = async (path: string) => {
    const found = await top.find(namesOf(path));
    return found === undefined || found instanceof Folder
      ? undefined
      : { path, ...found };
  };
  const content = async ({ mode, id }: Pick<TreeFile, "mode" | "id">) =>
    mode === "160000"
      ? undefined
      : (written.get(id) ?? (await objects.read(id))?.content);
  const put = (path: string, node: FileNode | Folder) =>
    top.put(namesOf(path), node);
  const save = async (folder = top) => {
    const trees: Buffer[] = [];
    const id = await folder.save((content) => {
      trees.push(content);
      return objectId(objectFormat, "tree", content);
    });
    await storeObjects(git, objectFormat, [
      ...[...written.values()].map((content) => ({
        type: "blob" as const,
        content,
      })),
      ...trees.map((content) => ({ type: "tree" as const, content })),
    ]);
    written.clear();
    return id;
  };

  return {
    list,
    stat,
    content,
    async read(path) {
      const entry = await stat(path);
      return entry && content(entry);
    },
    async write(path, text) {
      const content = Buffer.from(text as string);
      const id = objectId(objectFormat, "blob", content);
      written.set(id, content);
      await put(path, {
        mode: (await stat(path))?.mode ?? "100644",
        id,
      });
    },
    remove: (path) => top.remove(namesOf(path)),
    async place(path, tree) {
      await put(path, new Folder(tree, read));
    },
    link: (path, { mode, id }) => put(path, { mode: canonicalMode(mode), id }),
    save: () => save(),
    async saveFolder(path) {
      const found = await top.find(namesOf(path));
      return found instanceof Folder ? save(found) : undefined;
    },
    async checkOut(dir, chosen) {
      const tree = await save();
      const paths =
        chosen &&
        (await list("")).map(({ path }) => path).filter((path) => chosen(path));
      await checkOutTree(git, tree, scratch, dir, paths);
    },
    [Symbol.dispose]: () => objects.close(),
  };
}

/** Checks out files of a tree into a folder, with a separate index. @param paths default: all */
async function checkOutTree(
  git: Git,
  tree: string,
  scratch: string,
  dir: string,
  paths: readonly string[] | undefined,
): Promise<void> {
  const place = await mkdtemp(join(scratch, "checkout-index-"));
  const bare = withEnv(
    git,
    {
      GIT_INDEX_FILE: join(place, "index"),
      GIT_WORK_TREE: dir,
      GIT_CONFIG_GLOBAL: "/dev/null",
      GIT_CONFIG_NOSYSTEM: "1",
    },
    dir,
  );
  await bare.run(["read-tree", tree]);
  if (paths === undefined) await bare.run(["checkout-index", "--all"]);
  else
    await bare.run(["checkout-index", "-z", "--stdin"], {
      input: paths.map((path) => `${path}\0`).join(""),
    });
  await rm(place, { recursive: true, force: true });
}
