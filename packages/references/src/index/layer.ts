import type { FoundReference, ReferringWorkspace } from "../graph.js";
import { REFERENCE_KINDS } from "../reference.js";
import { PACKAGES_NODE, PARTIAL, ROOT_NODE, type Table } from "./table.js";

/** A table seen through the workspaces of a project: who owns each of its paths, and which of its files still count. */
export class Layer {
  readonly table: Table;
  /** Per node: the number of the workspace that owns the path or is the package, or -1. */
  readonly owner: Int32Array;
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
    this.owner = ownersOf(table, workspaces);
  }

  /** Whether a row's file is still there as this table knows it. */
  isLive(row: number): boolean {
    return !this.#gone.has(this.table.columns.rowFile[row] ?? 0);
  }

  /** Number of the workspace whose file the row is in. */
  from(row: number): number {
    const { rowFile, fileNode } = this.table.columns;
    return this.owner[fileNode[rowFile[row] ?? 0] ?? 0] ?? -1;
  }

  /** Number of the workspace the row's target belongs to, or -1. */
  to(row: number): number {
    return this.owner[this.table.columns.rowTarget[row] ?? 0] ?? -1;
  }

  isPartial(row: number): boolean {
    return ((this.table.columns.rowInfo[row] ?? 0) & PARTIAL) !== 0;
  }

  kind(row: number) {
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

  /** Every live row. */
  *rows(): Iterable<number> {
    for (let row = 0; row < this.table.rows; row++)
      if (this.isLive(row)) yield row;
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

function ownersOf(
  table: Table,
  workspaces: readonly ReferringWorkspace[],
): Int32Array {
  const UNMARKED = -2;
  const owner = new Int32Array(table.nodes).fill(UNMARKED);
  owner[ROOT_NODE] = owner[PACKAGES_NODE] = -1;
  const numbers = new Map<string, number>();
  workspaces.forEach(({ name, dir }, index) => {
    // A package that moved is listed with both its folders: it stays one package, the first.
    const number = numbers.get(name) ?? index;
    numbers.set(name, number);
    const node = table.nodeOf(dir === "." ? "" : dir);
    if (node >= 0) owner[node] = number;
    const asPackage = table.child(PACKAGES_NODE, name);
    if (asPackage >= 0) owner[asPackage] = number;
  });
  const { nodeParent } = table.columns;
  for (let node = PACKAGES_NODE + 1; node < owner.length; node++)
    if (owner[node] === UNMARKED)
      owner[node] = owner[nodeParent[node] ?? 0] ?? -1;
  return owner;
}
