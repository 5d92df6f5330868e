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

/** Returns the names of a path, as trees hold them: one character a byte, so that a name in no charset stays what it is. */
export function namesOf(path: string): readonly string[] {
  return path === "" ? [] : Buffer.from(path).toString("latin1").split("/");
}

/** A folder of a draft: as git has it until it is looked into, and with what was changed since. */
export class Folder {
  /** The tree git has; undefined once something in it was changed. */
  #id: string | undefined;
  #entries: Promise<Map<string, FileNode | Folder>> | undefined;
  /** All files below, until something in it is changed. */
  #files: Promise<readonly TreeFile[]> | undefined;
  readonly #read: (id: string) => Promise<Buffer>;

  /** @param id a tree; undefined: an empty folder @param read reads a tree object */
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

  /** Puts a file or a folder at a path; folders on the way are made. @throws when a file is in the way */
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

  /** Removes a file, and folders that it leaves empty; nothing where there is none. */
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

  /** After all below: what was listed or saved meanwhile is forgotten. */
  #changed(): void {
    this.#id = undefined;
    this.#files = undefined;
  }

  /** All files below, in git's order. @param path of this folder, as text: one folder is always at one place */
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

  /** @param store takes the content of each tree that git may lack, and answers with its id @returns this one's id */
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
