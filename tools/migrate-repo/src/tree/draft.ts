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
  return new OpenDraft(git, objects, root.id, scratch);
}

class OpenDraft implements Draft {
  readonly #git: Git;
  readonly #objects: ReturnType<typeof openObjects>;
  readonly #scratch: string;
  readonly #format: "sha1" | "sha256";
  readonly #top: Folder;
  /** Contents that git doesn't have yet, by id. */
  readonly #written = new Map<string, Buffer>();

  constructor(
    git: Git,
    objects: ReturnType<typeof openObjects>,
    root: string,
    scratch: string,
  ) {
    this.#git = git;
    this.#objects = objects;
    this.#scratch = scratch;
    this.#format = root.length === 40 ? "sha1" : "sha256";
    this.#top = this.#folder(root);
  }

  async list(under: string): Promise<readonly TreeFile[]> {
    const parts = namesOf(under);
    const found = parts.length === 0 ? this.#top : await this.#top.find(parts);
    if (found === undefined) return [];
    return found instanceof Folder
      ? found.files(under)
      : [{ path: under, ...found }];
  }

  async stat(path: string): Promise<TreeFile | undefined> {
    const found = await this.#top.find(namesOf(path));
    return found === undefined || found instanceof Folder
      ? undefined
      : { path, ...found };
  }

  async content({ mode, id }: TreeFile): Promise<Buffer | undefined> {
    return mode === "160000"
      ? undefined
      : (this.#written.get(id) ?? (await this.#objects.read(id))?.content);
  }

  async read(path: string): Promise<Buffer | undefined> {
    const entry = await this.stat(path);
    return entry && this.content(entry);
  }

  async write(path: string, text: Buffer | string): Promise<void> {
    const content = Buffer.from(text as string);
    const id = objectId(this.#format, "blob", content);
    this.#written.set(id, content);
    await this.#put(path, {
      mode: (await this.stat(path))?.mode ?? "100644",
      id,
    });
  }

  async remove(path: string): Promise<void> {
    await this.#top.remove(namesOf(path));
  }

  async place(path: string, tree: string): Promise<void> {
    await this.#put(path, this.#folder(tree));
  }

  async link(
    path: string,
    { mode, id }: Omit<TreeFile, "path">,
  ): Promise<void> {
    await this.#put(path, { mode: canonicalMode(mode), id });
  }

  save(): Promise<string> {
    return this.#save(this.#top);
  }

  async saveFolder(path: string): Promise<string | undefined> {
    const found = await this.#top.find(namesOf(path));
    return found instanceof Folder ? this.#save(found) : undefined;
  }

  async checkOut(
    dir: string,
    chosen?: (path: string) => boolean,
  ): Promise<void> {
    const tree = await this.save();
    const paths =
      chosen &&
      (await this.list(""))
        .map(({ path }) => path)
        .filter((path) => chosen(path));
    await checkOutTree(this.#git, tree, this.#scratch, dir, paths);
  }

  [Symbol.dispose](): void {
    this.#objects.close();
  }

  /** Returns the folder of a tree, which is read when it is needed. */
  #folder(tree: string): Folder {
    return new Folder(tree, async (id) => {
      const object = await this.#objects.read(id);
      if (object?.type !== "tree") throw new Error(`${id} isn't a tree`);
      return object.content;
    });
  }

  async #put(path: string, node: FileNode | Folder): Promise<void> {
    await this.#top.put(namesOf(path), node);
  }

  async #save(folder: Folder): Promise<string> {
    const trees: Buffer[] = [];
    const id = await folder.save((content) => {
      trees.push(content);
      return objectId(this.#format, "tree", content);
    });
    await storeObjects(this.#git, this.#format, [
      ...[...this.#written.values()].map((content) => ({
        type: "blob" as const,
        content,
      })),
      ...trees.map((content) => ({ type: "tree" as const, content })),
    ]);
    this.#written.clear();
    return id;
  }
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
