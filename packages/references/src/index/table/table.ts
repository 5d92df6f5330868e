import {
  beginningAndSuffix,
  REFERENCE_KINDS,
  type FileFacts,
  type Reference,
} from "../../reference.js";
import { columnsOf, type Columns, type Sizes } from "./columns.js";

/** The project's root. */
export const ROOT_NODE = 0;
/** The root of package names. */
export const PACKAGES_NODE = 1;
/** A child of node 1 that contains the aliases; no package can have this name. */
export const ALIASES = "\x01aliases";
/** A node of the same kind for scripts that others may call. */
export const SCRIPT_NAMES = "\x01script-names";
/** A node for words that may be names of such scripts. */
export const SCRIPT_CALLS = "\x01script-calls";
/** A node for the texts of scripts. */
export const SCRIPT_TEXTS = "\x01script-texts";
/** A node for environment variables. */
export const VARIABLES = "\x01variables";
/** A node for programs of other languages. */
export const PROGRAMS = "\x01programs";
/** A node for patterns of files that tsconfigs exclude. */
export const EXCLUSIONS = "\x01exclusions";
/** The bit of a row's kind number that marks a specifier if only its beginning is known. */
export const PARTIAL = 1 << 8;
/** The path certainly begins at the file's folder. */
export const FROM_FILE = 1 << 9;
/** The program only opens the file. */
export const OPENED = 1 << 10;
/** Nothing that the file refers to matters. */
export const SEARCHED = 1 << 11;

/**
 * All references of many files, as columns of numbers that are used directly from the bytes of the stored file: only strings
 * are decoded when a stored index is opened. Paths (of files and of targets) and package names are nodes of one tree, so one
 * pass finds the owners of a hundred thousand of them. A table doesn't contain workspaces.
 */
export class Table {
  readonly columns: Columns;
  #strings: (string | undefined)[] = [];
  #areAllDecoded = false;
  /** 1 for each node that has children. */
  #children: Children | undefined;
  /** Paths and package names by node, cached when they are first needed, because most are needed again. */
  readonly #names: (string | undefined)[] = [];
  /** The two parts of specifiers by their strings' numbers. */
  readonly #parts: (readonly [string, string] | undefined)[] = [];
  /** Nodes of folders, or -1. */
  readonly #folders = new Map<string, number>();

  constructor(bytes: Buffer, sizes: Sizes) {
    this.columns = columnsOf(bytes, sizes);
  }

  get rows(): number {
    return this.columns.sizes.rows;
  }
  get files(): number {
    return this.columns.sizes.files;
  }
  get nodes(): number {
    return this.columns.sizes.nodes;
  }

  /** Returns the string with this number. */
  string(index: number): string {
    const { stringEnds, text } = this.columns;
    return (this.#strings[index] ??= text.toString(
      "utf8",
      index === 0 ? 0 : (stringEnds[index - 1] ?? 0) + 1,
      stringEnds[index],
    ));
  }

  /**
   * Returns all strings. One decoding and one split run as native code, which is faster than single strings if many are
   * needed.
   */
  allStrings(): readonly (string | undefined)[] {
    if (!this.#areAllDecoded)
      this.#strings = this.columns.text.toString("utf8").split("\0");
    this.#areAllDecoded = true;
    return this.#strings;
  }

  /** Returns a node's child of this name, or -1. */
  child(parent: number, name: string): number {
    const { slots, nodeParent, nodeName } = this.columns;
    const mask = slots.length - 1;
    for (let slot = hashOf(parent, name) & mask; ; slot = (slot + 1) & mask) {
      const node = (slots[slot] ?? 0) - 1;
      if (node < 0) return -1;
      if (
        nodeParent[node] === parent &&
        this.string(nodeName[node] ?? 0) === name
      )
        return node;
    }
  }

  /** Returns the node of a path from the project's root (empty: the root), or -1. */
  nodeOf(path: string): number {
    if (path === "") return ROOT_NODE;
    const slash = path.lastIndexOf("/");
    if (slash < 0) return this.child(ROOT_NODE, path);
    const folder = this.#folderOf(path.slice(0, slash));
    return folder < 0 ? -1 : this.child(folder, path.slice(slash + 1));
  }

  #folderOf(dir: string): number {
    let node = this.#folders.get(dir);
    if (node === undefined) {
      // A path that begins with a slash has a first folder without a name.
      node = dir === "" ? this.child(ROOT_NODE, dir) : this.nodeOf(dir);
      this.#folders.set(dir, node);
    }
    return node;
  }

  /** Returns the path, or the package name, of a node. */
  nameOf(node: number): string {
    if (node <= PACKAGES_NODE) return "";
    const known = this.#names[node];
    if (known !== undefined) return known;
    const { nodeParent, nodeName } = this.columns;
    const parent = nodeParent[node] ?? 0;
    const name = this.string(nodeName[node] ?? 0);
    return (this.#names[node] =
      parent <= PACKAGES_NODE ? name : `${this.nameOf(parent)}/${name}`);
  }

  /** Returns the path, or the package name, that a row means. */
  targetOf(row: number): string {
    return this.nameOf(this.columns.rowTarget[row] ?? 0);
  }

  /** Returns the rows that mean this node. */
  rowsAt(node: number): readonly number[] {
    if (node < 0) return [];
    const { nodeRows, rowsByNode } = this.columns;
    return [...rowsByNode.subarray(nodeRows[node], nodeRows[node + 1])];
  }

  /**
   * Returns the rows that mean something below this node. A file has none: a submodule and a symlink to a folder have, since git
   * has no files below them.
   */
  rowsBelow(node: number): readonly number[] {
    this.#children ??= childrenIn(this.columns.nodeParent);
    const { first, next } = this.#children;
    const nodes = node < 0 ? [] : [node];
    // Iteration over a list includes elements that are added during it.
    for (const parent of nodes)
      for (let each = first[parent] ?? 0; each > 0; each = next[each] ?? 0)
        nodes.push(each);
    return nodes
      .slice(1)
      .sort((a, b) => a - b)
      .flatMap((each) => this.rowsAt(each));
  }

  /** Returns all manifests except the root's. */
  manifests(): readonly string[] {
    const strings = this.allStrings();
    const dirs = [...this.columns.manifestPaths].map((dir) => strings[dir]);
    return dirs.filter(Boolean).map((dir) => `${dir}/package.json`);
  }

  /** Returns the path of a file. */
  pathOf(file: number): string {
    return this.nameOf(this.columns.fileNode[file] ?? 0);
  }

  /** Returns the blob id of a file, in hexadecimal. */
  idOf(file: number): string {
    const { ids, sizes } = this.columns;
    return ids.toString(
      "hex",
      file * sizes.idBytes,
      (file + 1) * sizes.idBytes,
    );
  }

  /** Returns the reference from which a row was made. */
  referenceOf(row: number): Reference {
    const { rowSpecifier, rowInfo, rowLine, rowColumn } = this.columns;
    const info = rowInfo[row] ?? 0;
    return {
      specifier: this.string(rowSpecifier[row] ?? 0),
      kind: REFERENCE_KINDS[info & 0xff] ?? "path-string",
      line: rowLine[row] ?? 1,
      column: rowColumn[row] ?? 1,
      ...((info & PARTIAL) !== 0 && { partial: true }),
      ...((info & FROM_FILE) !== 0 && { fromFile: true }),
      ...((info & OPENED) !== 0 && { opened: true }),
      ...((info & SEARCHED) !== 0 && { searched: true }),
    };
  }

  /** Returns the specifier of a row, without the suffix that its targets have. */
  specifierOf(row: number): string {
    return this.#partsOf(this.columns.rowSpecifier[row] ?? 0)[0];
  }

  /** Returns the ending of all targets of a partial row; empty if it isn't known. */
  suffixOf(row: number): string {
    return this.#partsOf(this.columns.rowSpecifier[row] ?? 0)[1];
  }

  #partsOf(string: number): readonly [string, string] {
    return (this.#parts[string] ??= beginningAndSuffix(this.string(string)));
  }

  /** Returns the facts from which a file was added, without the references that mean nothing here. */
  factsOf(file: number): FileFacts {
    const { fileRows, fileNote } = this.columns;
    const references: Reference[] = [];
    for (let row = fileRows[file] ?? 0; row < (fileRows[file + 1] ?? 0); row++)
      references.push(this.referenceOf(row));
    const note = fileNote[file] ?? 0;
    return { references, ...(note > 0 && { unparsed: this.string(note - 1) }) };
  }
}

/** The first child of each node, and the next child of the same parent; 0 is none, because the first node is nobody's child. */
interface Children {
  readonly first: Int32Array;
  readonly next: Int32Array;
}

function childrenIn(nodeParent: Columns["nodeParent"]): Children {
  const first = new Int32Array(nodeParent.length);
  const next = new Int32Array(nodeParent.length);
  for (let node = nodeParent.length - 1; node > 0; node--) {
    const parent = nodeParent[node] ?? 0;
    next[node] = first[parent] ?? 0;
    first[parent] = node;
  }
  return { first, next };
}

/** Hashes a node's name below its parent: FNV-1a, the parent first. */
export function hashOf(parent: number, name: string): number {
  let hash = Math.imul(0x811c9dc5 ^ parent, 0x01000193);
  for (let i = 0; i < name.length; i++)
    hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193);
  return (hash ^ (hash >>> 15)) >>> 0;
}
