import {
  EMPTY_TREES,
  FOLDER,
  formatTree,
  parseTree,
  type TreeEntry,
} from "../objects/tree-object.js";
import type { TreeFile } from "./draft.js";

/** A file in a folder: a blob, a symlink or a submodule. */
export type FileNode = TreeEntry;

/**
 * Returns the names in a path, in the form of tree objects: one character per byte, so that a name in any charset
 * survives.
 */
export function namesOf(path: string): readonly string[] {
  return path === "" ? [] : Buffer.from(path).toString("latin1").split("/");
}

/** A folder of a draft. It has git's tree until it is read, and holds changes made since. */
export class Folder {
  /** The id of git's tree; undefined after a change in the folder. */
  #id: string | undefined;
  #entries: Promise<Map<string, FileNode | Folder>> | undefined;
  /** All files below, until something in the folder changes. */
  #files: Promise<readonly TreeFile[]> | undefined;
  readonly #read: (id: string) => Promise<Buffer>;

  /** @param id the id of a tree; undefined for an empty folder @param read reads a tree object */
  constructor(id: string | undefined, read: (id: string) => Promise<Buffer>) {
    this.#id = id;
    this.#read = read;
  }

  /** Returns the entry at a path below this folder. */
  async find(names: readonly string[]): Promise<FileNode | Folder | undefined> {
    const [name = "", ...rest] = names;
    const found = (await this.#load()).get(name);
    if (rest.length === 0) return found;
    return found instanceof Folder ? found.find(rest) : undefined;
  }

  /** Puts a file or a folder at a path, and creates missing parent folders. @throws if a file is in the way */
  async put(names: readonly string[], node: FileNode | Folder): Promise<void> {
    const [name = "", ...rest] = names;
    const entries = await this.#load();
    const found = entries.get(name);
    if (rest.length === 0) {
      if (found instanceof Folder && (await found.#load()).size > 0)
        throw new Error(`a folder is at ${name} already`);
      entries.set(name, node);
      this.#changed();
      return;
    }
    if (found !== undefined && !(found instanceof Folder))
      throw new Error(`a file is at ${name}, where a folder must be`);
    const below = found ?? new Folder(undefined, this.#read);
    entries.set(name, below);
    await below.put(rest, node);
    this.#changed();
  }

  /** Removes a file, and parent folders that become empty. Does nothing if there is no such file. */
  async remove(names: readonly string[]): Promise<void> {
    const [name = "", ...rest] = names;
    const entries = await this.#load();
    const found = entries.get(name);
    if (rest.length === 0) {
      if (found === undefined || found instanceof Folder) return;
      entries.delete(name);
    } else {
      if (!(found instanceof Folder)) return;
      await found.remove(rest);
      if (found.#id !== undefined) return;
      if ((await found.#load()).size === 0) entries.delete(name);
    }
    this.#changed();
  }

  /** Clears cached results. It runs after all changes below, so that nothing listed or saved in the meantime stays. */
  #changed(): void {
    this.#id = undefined;
    this.#files = undefined;
  }

  /**
   * Lists all files below, in git's order. @param path the path of this folder, as text: a folder always has the same
   * one
   */
  files(path: string): Promise<readonly TreeFile[]> {
    return (this.#files ??= this.#list(path));
  }

  async #list(path: string): Promise<readonly TreeFile[]> {
    const found: TreeFile[] = [];
    const inOrder = [...(await this.#load())].map(([name, node]) => ({
      sortedAs: node instanceof Folder ? `${name}/` : name,
      name: Buffer.from(name, "latin1").toString("utf8"),
      node,
    }));
    inOrder.sort((a, b) => (a.sortedAs < b.sortedAs ? -1 : 1));
    for (const { name, node } of inOrder) {
      const inside = path === "" ? name : `${path}/${name}`;
      if (node instanceof Folder)
        for (const file of await node.files(inside)) found.push(file);
      else found.push({ path: inside, ...node });
    }
    return found;
  }

  /**
   * Saves this folder's tree. @param store receives the content of each tree that git may lack, and returns its id
   * @returns this tree's id
   */
  async save(store: (content: Buffer) => string): Promise<string> {
    if (this.#id !== undefined) return this.#id;
    const entries: [string, TreeEntry][] = [];
    for (const [name, node] of await this.#load()) {
      if (!(node instanceof Folder)) entries.push([name, node]);
      else {
        const id = await node.save(store);
        if (!EMPTY_TREES.includes(id))
          entries.push([name, { mode: FOLDER, id }]);
      }
    }
    this.#id = store(formatTree(entries));
    return this.#id;
  }

  #load(): Promise<Map<string, FileNode | Folder>> {
    this.#entries ??= this.#open();
    return this.#entries;
  }

  async #open(): Promise<Map<string, FileNode | Folder>> {
    if (this.#id === undefined) return new Map();
    const entries = parseTree(await this.#read(this.#id), this.#id.length / 2);
    return new Map(
      [...entries].map(([name, entry]) => [
        name,
        entry.mode === FOLDER ? new Folder(entry.id, this.#read) : entry,
      ]),
    );
  }
}
