import type { FoundReference, ReferringWorkspace } from "../graph.js";
import { REFERENCE_KINDS, type ReferenceKind } from "../reference.js";
import { PACKAGES_NODE, PARTIAL, ROOT_NODE, type Table } from "./table.js";

/** A table seen through the workspaces of a project: who owns each of its paths, and which of its files still count. */
export class Layer {
  readonly table: Table;
  /** Per node: the number of the workspace that owns the path or is the package, -1 for none, -2 until it is asked for. */
  readonly #owner: Int32Array;
  /** Every row may leave its package, not only those the table says. */
  readonly #anyLeaves: boolean;
  readonly #workspaces: readonly ReferringWorkspace[];
  readonly #gone: ReadonlySet<number>;

  /** @param gone numbers of files that later layers replace, or that were deleted */
  constructor(
    table: Table,
    workspaces: readonly ReferringWorkspace[],
    gone: ReadonlySet<number>,
  ) {
    this.table = table;
    this.#workspaces = workspaces;
    this.#gone = gone;
    this.#owner = new Int32Array(table.nodes).fill(-2);
    this.#anyLeaves = !this.#mark();
  }

  /** Whether a row's file is still there as this table knows it. */
  isLive(row: number): boolean {
    return !this.#gone.has(this.table.columns.rowFile[row] ?? 0);
  }

  /** Rows among which every reference is that may leave its package. */
  leavingRows(): Iterable<number> {
    const { leavingRows, rowFile } = this.table.columns;
    return this.#anyLeaves ? rowFile.keys() : leavingRows;
  }

  /**
   * Marks the nodes of the workspaces' folders and names.
   * @returns whether each folder holds a manifest in this table; if not, a package came or went since it was made, and
   * what it says of rows that stay in their package does not hold
   */
  #mark(): boolean {
    const { packageNodes, manifestNodes, manifestPaths, nodeName } =
      this.table.columns;
    const owner = this.#owner;
    owner[ROOT_NODE] = owner[PACKAGES_NODE] = -1;
    const byName = new Map<string, number>();
    const byDir = new Map<string, number>();
    for (const [index, { name, dir }] of this.#workspaces.entries()) {
      // A package that moved is listed with both its folders: it stays one package, the first.
      const number = byName.get(name) ?? index;
      byName.set(name, number);
      byDir.set(dir === "." ? "" : dir, number);
    }
    for (const node of packageNodes)
      owner[node] = byName.get(this.table.string(nodeName[node] ?? 0)) ?? -1;
    for (let i = 0; i < manifestNodes.length; i++) {
      const dir = this.table.string(manifestPaths[i] ?? 0);
      const number = byDir.get(dir);
      if (number === undefined) continue;
      owner[manifestNodes[i] ?? 0] = number;
      byDir.delete(dir);
    }
    for (const [dir, number] of byDir) {
      const node = this.table.nodeOf(dir);
      if (node >= 0) owner[node] = number;
    }
    return byDir.size === 0;
  }

  #ownerOf(node: number): number {
    const known = this.#owner[node] ?? -1;
    if (known !== -2) return known;
    const owner = this.#ownerOf(this.table.columns.nodeParent[node] ?? 0);
    this.#owner[node] = owner;
    return owner;
  }

  /** Number of the workspace whose file the row is in. */
  from(row: number): number {
    const { rowFile, fileNode } = this.table.columns;
    return this.#ownerOf(fileNode[rowFile[row] ?? 0] ?? 0);
  }

  /** Number of the workspace the row's target belongs to, or -1. */
  to(row: number): number {
    return this.#ownerOf(this.table.columns.rowTarget[row] ?? 0);
  }

  isPartial(row: number): boolean {
    return ((this.table.columns.rowInfo[row] ?? 0) & PARTIAL) !== 0;
  }

  kind(row: number): ReferenceKind {
    return (
      REFERENCE_KINDS[(this.table.columns.rowInfo[row] ?? 0) & 0xff] ??
      "path-string"
    );
  }

  isPackage(row: number): boolean {
    const { rowTarget, nodeParent } = this.table.columns;
    const target = rowTarget[row] ?? 0;
    return target > PACKAGES_NODE && nodeParent[target] === PACKAGES_NODE;
  }

  file(row: number): string {
    return this.table.pathOf(this.table.columns.rowFile[row] ?? 0);
  }

  /** The row in full. @param path what it means, where that is not what the table says (an alias, another folder) */
  found(row: number, path?: string): FoundReference {
    const name = this.table.nameOf(this.table.columns.rowTarget[row] ?? 0);
    const { partial = false, ...reference } = this.table.referenceOf(row);
    return {
      file: this.file(row),
      ...reference,
      partial,
      from: this.#workspaces[this.from(row)]?.name ?? "",
      target:
        path === undefined && this.isPackage(row)
          ? { kind: "package", name }
          : { kind: "path", path: path ?? name },
    };
  }

  /**
   * Whether a row means the folder of its own package, or one above. Numbers only: it is asked of every reference that
   * leaves its package.
   */
  isAbove(row: number): boolean {
    const { rowTarget, rowFile, fileNode, nodeParent } = this.table.columns;
    const target = rowTarget[row] ?? 0;
    let node = fileNode[rowFile[row] ?? 0] ?? 0;
    const owner = this.#ownerOf(node);
    // Up to the topmost node that the package owns: its folder.
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

  /** Live rows that mean this package. */
  rowsOfPackage(name: string): readonly number[] {
    return this.table
      .rowsAt(this.table.child(PACKAGES_NODE, name))
      .filter((row) => this.isLive(row));
  }

  /** Live rows that mean exactly this path. */
  rowsOfPath(key: string): readonly number[] {
    return this.table
      .rowsAt(this.table.nodeOf(key))
      .filter((row) => this.isLive(row));
  }
}
