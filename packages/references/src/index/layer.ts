import type { FoundReference } from "../graph.js";
import { REFERENCE_KINDS, type ReferenceKind } from "../reference.js";
import { below, packageNameOf, unfinishedPart } from "../resolve.js";
import { KIND_TRAITS, MODULE_KINDS } from "./kinds.js";
import type { Layout } from "./layout.js";
import {
  FROM_FILE,
  OPENED,
  PACKAGES_NODE,
  PARTIAL,
  SEARCHED,
  ROOT_NODE,
  type Table,
} from "./table/table.js";

/** Kinds of references with which a package uses another one as a package. */
const USES_PACKAGE: ReadonlySet<ReferenceKind> = new Set<ReferenceKind>([
  ...MODULE_KINDS,
  "dependency",
  "linked-dependency",
]);

/** A table combined with the workspaces of a project: the owners of its paths, and the files that still count. */
export class Layer {
  readonly table: Table;
  /**
   * Per node: the number of the workspace that owns the path or is the package, -1 for none, -2 if it wasn't computed yet.
   */
  readonly #owner: Int32Array;
  readonly #layout: Layout;
  readonly #gone: ReadonlySet<number>;
  #texts: ReadonlySet<number> = new Set();
  #writers: ReadonlySet<number> = new Set();
  #unshown: Uint32Array | undefined;
  #leaving: Uint32Array | undefined;
  /** Per node: the number of the file that has this path, or -1. */
  #files: Int32Array | undefined;
  /** Per node: 1 if it is a file that exists, or a folder that contains one. */
  #holding: Uint8Array | undefined;

  /**
   * @param gone numbers of files that later layers replace, or that were deleted
   * @param unshown an earlier result of `unshownRows` for this table and layout, if there is one
   */
  constructor(
    table: Table,
    layout: Layout,
    gone: ReadonlySet<number>,
    unshown?: Uint32Array,
  ) {
    this.table = table;
    this.#layout = layout;
    this.#gone = gone;
    this.#unshown = unshown;
    this.#owner = new Int32Array(table.nodes).fill(-2);
    this.#owner[PACKAGES_NODE] = -1;
  }

  /**
   * Notes files whose references refer to nothing.
   * @param writers files of which this is true for the names in strings
   */
  leaveOut(paths: readonly string[], writers: readonly string[]): void {
    this.#texts = new Set(paths.map((path) => this.#fileOf(path)));
    this.#writers = new Set(writers.map((path) => this.#fileOf(path)));
  }

  /** Returns whether a row's file is still as this table contains it, and its references count. */
  isLive(row: number): boolean {
    const file = this.table.columns.rowFile[row] ?? 0;
    return (
      !this.#gone.has(file) &&
      !this.#texts.has(file) &&
      !(this.#writers.has(file) && this.kind(row) === "name-string")
    );
  }

  /** Returns rows that include every reference that may leave its package. */
  leavingRows(): Uint32Array {
    if (this.#leaving) return this.#leaving;
    const { leavingRows, rowFile } = this.table.columns;
    // A package was added or removed since the table was made, so its list of rows that stay in their package is no longer
    // valid.
    this.#leaving = this.#mark()
      ? leavingRows
      : Uint32Array.from(rowFile.keys());
    return this.#leaving;
  }

  /**
   * Returns the rows that lead into another package and that no manifest of a package shows, and those that may
   * lead into several packages; also rows that no longer count. They depend on the table and the layout only, so they can be
   * stored.
   */
  unshownRows(): Uint32Array {
    if (this.#unshown) return this.#unshown;
    const found: number[] = [];
    const leaving = this.leavingRows();
    const { root } = this.#layout;
    leaving.forEach((row) => {
      const from = this.from(row);
      const to = this.to(row);
      const leaves =
        to >= 0 && from !== to && (to !== root || this.meansRoot(row));
      if (
        from >= 0 &&
        !this.isOwnGuess(row) &&
        !this.isFromPackage(row) &&
        ((leaves && (from === root || !this.#layout.isShown(from, to))) ||
          this.isSpread(row))
      )
        found.push(row);
    });
    return (this.#unshown = Uint32Array.from(found));
  }

  /**
   * Marks the nodes of all workspaces' folders and names at once, which is faster if most of them are needed.
   * @returns whether each folder contains a manifest in this table
   */
  #mark(): boolean {
    const { packageNodes, manifestNodes, manifestPaths, nodeName } =
      this.table.columns;
    const { byName, byDir } = this.#layout;
    const strings = this.table.allStrings();
    packageNodes.forEach((node) => {
      this.#owner[node] = byName.get(strings[nodeName[node] ?? 0] ?? "") ?? -1;
    });
    let marked = 0;
    for (let i = 0; i < manifestNodes.length; i++) {
      const number = byDir.get(strings[manifestPaths[i] ?? 0] ?? "");
      if (number === undefined) continue;
      this.#owner[manifestNodes[i] ?? 0] = number;
      marked++;
    }
    return marked === byDir.size;
  }

  #ownerOf(node: number): number {
    const known = this.#owner[node] ?? -1;
    if (known !== -2) return known;
    const { table } = this;
    const parent = table.columns.nodeParent[node] ?? 0;
    const { byName, byDir } = this.#layout;
    const owner =
      node !== ROOT_NODE && parent === PACKAGES_NODE
        ? (byName.get(table.nameOf(node)) ?? -1)
        : (byDir.get(table.nameOf(node)) ??
          (node === ROOT_NODE ? -1 : this.#ownerOf(parent)));
    this.#owner[node] = owner;
    return owner;
  }

  /** Returns the number of the workspace whose file contains the row. */
  from(row: number): number {
    const { rowFile, fileNode } = this.table.columns;
    return this.#ownerOf(fileNode[rowFile[row] ?? 0] ?? 0);
  }

  /** Returns the number of the workspace that owns the row's target, or -1. */
  to(row: number): number {
    return this.#ownerOf(this.table.columns.rowTarget[row] ?? 0);
  }

  isPartial(row: number): boolean {
    return ((this.table.columns.rowInfo[row] ?? 0) & PARTIAL) !== 0;
  }

  /** Returns whether a row's path certainly begins at its file's folder. */
  isFromFile(row: number): boolean {
    return ((this.table.columns.rowInfo[row] ?? 0) & FROM_FILE) !== 0;
  }

  /** Returns whether the program only opens a row's file, and uses the path for nothing else. */
  isOpened(row: number): boolean {
    return ((this.table.columns.rowInfo[row] ?? 0) & OPENED) !== 0;
  }

  /** Returns whether nothing matters that a row's file refers to. */
  isSearched(row: number): boolean {
    return ((this.table.columns.rowInfo[row] ?? 0) & SEARCHED) !== 0;
  }

  /**
   * Returns whether a row may mean any package below a folder, or in a scope: `import(`../${name}`)`, `import(`@m/${name}`)`.
   */
  isSpread(row: number): boolean {
    if (!this.isPartial(row) || !KIND_TRAITS[this.kind(row)].spreads)
      return false;
    if (!this.isPackage(row)) return true;
    const specifier = this.table.specifierOf(row);
    return packageNameOf(specifier) === specifier;
  }

  /**
   * Returns how the paths in a folder begin and end that a row means.
   * @param folder of the path, as the row means it
   */
  namesIn(
    row: number,
    folder: string,
  ): readonly [beginning: string, suffix: string] {
    if (!this.isPartial(row)) return [folder, ""];
    const begins = unfinishedPart(this.table.specifierOf(row));
    return [below(folder, begins), this.table.suffixOf(row)];
  }

  kind(row: number): ReferenceKind {
    return (
      REFERENCE_KINDS[(this.table.columns.rowInfo[row] ?? 0) & 0xff] ??
      "path-string"
    );
  }

  /** Returns whether a row's path begins at the folder of its package, not at that of its file. */
  isFromPackage(row: number): boolean {
    return this.kind(row) === "cwd-path";
  }

  /** Returns whether a row only lists files that an entry point may reach in its own package. */
  isOwnGuess(row: number): boolean {
    return this.kind(row) === "own-guess";
  }

  isPackage(row: number): boolean {
    const { rowTarget, nodeParent } = this.table.columns;
    const target = rowTarget[row] ?? 0;
    return target > PACKAGES_NODE && nodeParent[target] === PACKAGES_NODE;
  }

  /**
   * Returns whether a row means the root as a package, by its name or its folder, such as that of an example to the library in the
   * root. A reference to a file of the root concerns only this file.
   */
  meansRoot(row: number): boolean {
    return (
      USES_PACKAGE.has(this.kind(row)) &&
      !this.isPartial(row) &&
      (this.isPackage(row) || this.table.columns.rowTarget[row] === ROOT_NODE)
    );
  }

  /**
   * Returns whether a row makes nothing affected: a dependency by name in a manifest that isn't a workspace's (a fixture,
   * an example, a template), since it may come from the registry; in a workspace's manifest, a path, which the graph
   * contains, and an optional peer, which may be missing.
   */
  isNoUse(row: number): boolean {
    const kind = this.kind(row);
    if (kind !== "dependency" && kind !== "linked-dependency") return false;
    const dir = this.#layout.dirOf(this.from(row));
    const isWorkspaces = this.file(row) === below(dir, "package.json");
    return kind === "dependency"
      ? !isWorkspaces ||
          this.#layout.isOptionalPeer(this.from(row), this.to(row))
      : isWorkspaces && !this.isPackage(row);
  }

  file(row: number): string {
    return this.table.pathOf(this.table.columns.rowFile[row] ?? 0);
  }

  /** Returns whether a file that exists could not be parsed or read: it may have references that are in no row. */
  isUnparsedFile(path: string): boolean {
    const file = this.#fileOf(path);
    const note = this.table.columns.fileNote[file] ?? 0;
    return note > 0 && !this.#gone.has(file);
  }

  /** Returns the files that could not be parsed or read. */
  unparsedFiles(): readonly string[] {
    return [...this.table.columns.fileNote.keys()].flatMap((file) =>
      (this.table.columns.fileNote[file] ?? 0) > 0 && !this.#gone.has(file)
        ? [this.table.pathOf(file)]
        : [],
    );
  }

  /** Returns whether the row's file could not be parsed. */
  isUnparsed(row: number): boolean {
    const { rowFile, fileNote } = this.table.columns;
    return (fileNote[rowFile[row] ?? 0] ?? 0) > 0;
  }

  /**
   * Returns the row as a reference.
   * @param path the target, if it isn't the one in the table (an alias, another folder)
   */
  found(row: number, path?: string): FoundReference {
    const suffix = this.table.suffixOf(row);
    const { kind, line, column, partial = false } = this.table.referenceOf(row);
    return {
      file: this.file(row),
      ...{ kind, line, column },
      specifier: this.table.specifierOf(row),
      partial,
      ...(suffix !== "" && { suffix }),
      ...(this.isSearched(row) && { isSearched: true }),
      from: this.#layout.nameOf(this.from(row)),
      target: path === undefined ? this.target(row) : { kind: "path", path },
    };
  }

  /** Returns the target of a row, as it is in the table; this takes far less time than the whole reference. */
  target(row: number): FoundReference["target"] {
    const name = this.table.targetOf(row);
    return this.isPackage(row)
      ? { kind: "package", name }
      : { kind: "path", path: name };
  }

  /**
   * Returns whether a row means the folder of its own package, or one above. It uses numbers only, since it is called for
   * every reference that leaves its package.
   */
  isAbove(row: number): boolean {
    const { rowTarget, rowFile, fileNode, nodeParent } = this.table.columns;
    const target = rowTarget[row] ?? 0;
    let node = fileNode[rowFile[row] ?? 0] ?? 0;
    const owner = this.#ownerOf(node);
    // Up to the topmost node that the package owns, which is its folder.
    for (
      let up = nodeParent[node] ?? 0;
      node !== ROOT_NODE && this.#ownerOf(up) === owner;
      up = nodeParent[up] ?? 0
    ) {
      node = up;
      if (up === ROOT_NODE) break;
    }
    for (; ; node = nodeParent[node] ?? 0) {
      if (node === target) return true;
      if (node === ROOT_NODE) return false;
    }
  }

  /** Returns the valid rows of a file. */
  rowsIn(path: string): readonly number[] {
    const { fileRows } = this.table.columns;
    const file = this.#fileOf(path);
    if (file < 0 || this.#gone.has(file)) return [];
    const first = fileRows[file] ?? 0;
    const length = (fileRows[file + 1] ?? 0) - first;
    return Array.from({ length }, (_, i) => first + i);
  }

  /** Returns the valid rows of a manifest that name entry points of its package. */
  entriesIn(manifest: string): readonly number[] {
    return this.rowsIn(manifest).filter((row) => this.kind(row) === "entry");
  }

  /** Returns whether a file with this path exists. */
  hasFile(path: string): boolean {
    const file = this.#fileOf(path);
    return file >= 0 && !this.#gone.has(file);
  }

  /** Yields the paths of all files that exist. */
  *files(): Iterable<string> {
    for (let file = 0; file < this.table.files; file++)
      if (!this.#gone.has(file)) yield this.table.pathOf(file);
  }

  /** Returns whether a folder contains a file, at any depth. */
  hasFileBelow(folder: string): boolean {
    this.#holding ??= this.#nodesWithFiles();
    return this.#holding[this.table.nodeOf(folder)] === 1;
  }

  #nodesWithFiles(): Uint8Array {
    const { fileNode, nodeParent } = this.table.columns;
    const holding = new Uint8Array(this.table.nodes);
    fileNode.forEach((node, file) => {
      if (this.#gone.has(file)) return;
      for (let at = node; holding[at] !== 1; at = nodeParent[at] ?? 0)
        holding[at] = 1;
    });
    return holding;
  }

  /** Returns the number of the file with this path, or -1. */
  #fileOf(path: string): number {
    if (!this.#files) {
      this.#files = new Int32Array(this.table.nodes).fill(-1);
      for (let file = 0; file < this.table.files; file++)
        this.#files[this.table.columns.fileNode[file] ?? 0] = file;
    }
    const node = this.table.nodeOf(path);
    return node < 0 ? -1 : (this.#files[node] ?? -1);
  }

  /** Returns the valid rows that mean this package. */
  rowsOfPackage(name: string): readonly number[] {
    return this.table
      .rowsAt(this.table.child(PACKAGES_NODE, name))
      .filter((row) => this.isLive(row));
  }

  /** Returns the valid rows that mean something below this path. */
  rowsBelow(key: string): readonly number[] {
    return this.table
      .rowsBelow(this.table.nodeOf(key))
      .filter((row) => this.isLive(row));
  }

  /** Returns the valid rows that mean exactly this path. */
  rowsOfPath(key: string): readonly number[] {
    return this.table
      .rowsAt(this.table.nodeOf(key))
      .filter((row) => this.isLive(row));
  }
}
