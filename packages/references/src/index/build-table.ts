import {
  REFERENCE_KINDS,
  type FileFacts,
  type ReferenceKind,
} from "../reference.js";
import { dirOf, resolveReference, type Target } from "../resolve.js";
import { bytesOf, columnsOf, type Columns, type Sizes } from "./columns.js";
import {
  ALIASES,
  hashOf,
  PACKAGES_NODE,
  PARTIAL,
  ROOT_NODE,
  SCRIPT_CALLS,
  SCRIPT_NAMES,
  Table,
} from "./table.js";

/** One file with what it says. */
export interface ScannedFile {
  readonly path: string;
  /** Blob id in hexadecimal; empty where there is none. */
  readonly id: string;
  readonly facts: FileFacts;
}

export interface BuiltTable {
  readonly table: Table;
  readonly bytes: Buffer;
  readonly sizes: Sizes;
}

const SPECIAL = {
  alias: ALIASES,
  "script-name": SCRIPT_NAMES,
  "script-call": SCRIPT_CALLS,
};

const KIND_NUMBER = new Map<ReferenceKind, number>(
  REFERENCE_KINDS.map((kind, number) => [kind, number]),
);

/**
 * Makes the table of these files. References that mean nothing in the project (builtins, URLs) are left out.
 * @param isWhole these are all files of a tree, so that every manifest is among them; otherwise every row may leave its package
 */
export function buildTable(
  files: Iterable<ScannedFile>,
  isWhole: boolean,
): BuiltTable {
  const builder = new TableBuilder();
  for (const file of files) builder.add(file);
  return builder.finish(isWhole);
}

/** Makes a table of files that come one after the other. */
export class TableBuilder {
  readonly #strings = new Numbering<string>();
  readonly #nodes = new Nodes(this.#strings);
  readonly #rows: number[] = [];
  readonly #files: FileRow[] = [];
  readonly #manifestDirs = new Set([""]);

  add({ path, id, facts }: ScannedFile): void {
    const strings = this.#strings;
    const rows = this.#rows;
    const file = this.#files.length;
    this.#files.push({
      id,
      node: this.#nodes.path(path),
      firstRow: rows.length / 6,
      note:
        facts.unparsed === undefined
          ? 0
          : strings.of(facts.unparsed.replaceAll("\0", " ")) + 1,
    });
    if (path === MANIFEST || path.endsWith(`/${MANIFEST}`))
      this.#manifestDirs.add(dirOf(path));
    for (const reference of facts.references) {
      const target = resolveReference(path, reference);
      if (!target) continue;
      const kind = KIND_NUMBER.get(reference.kind) ?? 0;
      rows.push(
        file,
        strings.of(reference.specifier),
        this.#nodes.target(target),
        reference.partial === true ? kind | PARTIAL : kind,
        reference.line,
        reference.column,
      );
    }
  }

  /** @param isWhole as in `buildTable` */
  finish(isWhole: boolean): BuiltTable {
    const manifests = [...this.#manifestDirs].map((dir) => ({
      node: this.#nodes.path(dir),
      path: this.#strings.of(dir),
    }));
    return tableOf(
      {
        files: this.#files,
        rows: this.#rows,
        manifests,
        nodes: this.#nodes,
        strings: this.#strings.items,
      },
      isWhole,
    );
  }
}

const MANIFEST = "package.json";

interface FileRow {
  readonly id: string;
  readonly node: number;
  readonly firstRow: number;
  readonly note: number;
}

/** A folder that holds a package.json, or the root. */
interface Manifest {
  readonly node: number;
  readonly path: number;
}

interface Contents {
  readonly files: readonly FileRow[];
  readonly rows: readonly number[];
  readonly manifests: readonly Manifest[];
  readonly nodes: Nodes;
  readonly strings: readonly string[];
}

/** Lays out in columns what was gathered. */
function tableOf(
  { files, rows, manifests, nodes, strings }: Contents,
  isWhole: boolean,
): BuiltTable {
  const leaving = isWhole
    ? leavingRows(rows, files, nodes, manifests)
    : Array.from({ length: rows.length / 6 }, (_, row) => row);
  const guesses = rowsOfKinds(rows, ["path-string", "glob"]);
  const text = Buffer.from(strings.join("\0"), "utf8");
  const sizes: Sizes = {
    nodes: nodes.parents.length,
    files: files.length,
    rows: rows.length / 6,
    packages: nodes.packages.length,
    manifests: manifests.length,
    leaving: leaving.length,
    guesses: guesses.length,
    strings: strings.length,
    slots: 2 ** Math.ceil(Math.log2(nodes.parents.length * 2)),
    text: text.length,
    idBytes: (files.find(({ id }) => id !== "")?.id.length ?? 0) / 2,
  };
  const bytes = Buffer.from(new ArrayBuffer(bytesOf(sizes)));
  const to = columnsOf(bytes, sizes);
  to.nodeParent.set(nodes.parents);
  to.nodeName.set(nodes.names);
  const rowColumns = [
    to.rowFile,
    to.rowSpecifier,
    to.rowTarget,
    to.rowInfo,
    to.rowLine,
    to.rowColumn,
  ];
  for (let i = 0; i < rows.length; i++) {
    const column = rowColumns[i % 6];
    if (column) column[(i / 6) | 0] = rows[i] ?? 0;
  }
  files.forEach(({ id, node, firstRow, note }, file) => {
    to.fileNode[file] = node;
    to.fileRows[file] = firstRow;
    to.fileNote[file] = note;
    to.ids.write(id, file * sizes.idBytes, "hex");
  });
  to.fileRows[files.length] = sizes.rows;
  to.packageNodes.set(nodes.packages);
  to.leavingRows.set(leaving);
  to.guessRows.set(guesses);
  manifests.forEach(({ node, path }, i) => {
    to.manifestNodes[i] = node;
    to.manifestPaths[i] = path;
  });
  let end = -1;
  strings.forEach((string, i) => {
    to.stringEnds[i] = end += Buffer.byteLength(string) + 1;
  });
  text.copy(to.text);
  groupByNode(to);
  fillSlots(to, nodes, strings);
  return { table: new Table(bytes, sizes), bytes, sizes };
}

/**
 * Rows that may leave their package, whatever the workspaces are: a workspace's folder holds a manifest, so what stays
 * below the nearest one stays with its owner.
 */
function leavingRows(
  rows: readonly number[],
  files: readonly { readonly node: number }[],
  nodes: Nodes,
  manifests: readonly Manifest[],
): readonly number[] {
  const nearest = new Uint32Array(nodes.parents.length);
  const isManifest = new Set(manifests.map(({ node }) => node));
  for (let node = 0; node < nearest.length; node++)
    nearest[node] = isManifest.has(node)
      ? node
      : (nearest[nodes.parents[node] ?? 0] ?? 0);
  const isPackage = new Set(nodes.packages);
  const leaving: number[] = [];
  for (let row = 0; row < rows.length / 6; row++) {
    const file = files[rows[row * 6] ?? 0]?.node ?? 0;
    const target = rows[row * 6 + 2] ?? 0;
    const from = nearest[file] ?? 0;
    const isPartial = ((rows[row * 6 + 3] ?? 0) & PARTIAL) !== 0;
    if (!isPackage.has(target) && from === nearest[target] && !isPartial)
      continue;
    leaving.push(row);
  }
  return leaving;
}

function rowsOfKinds(
  rows: readonly number[],
  kinds: readonly ReferenceKind[],
): readonly number[] {
  const numbers = new Set(kinds.map((kind) => KIND_NUMBER.get(kind)));
  const found: number[] = [];
  for (let row = 0; row < rows.length / 6; row++)
    if (numbers.has((rows[row * 6 + 3] ?? 0) & 0xff)) found.push(row);
  return found;
}

/** Counting sort of the rows by their target. */
function groupByNode({ nodeRows, rowsByNode, rowTarget }: Columns): void {
  for (const target of rowTarget)
    nodeRows[target + 1] = (nodeRows[target + 1] ?? 0) + 1;
  for (let i = 1; i < nodeRows.length; i++)
    nodeRows[i] = (nodeRows[i] ?? 0) + (nodeRows[i - 1] ?? 0);
  const next = nodeRows.slice();
  rowTarget.forEach((target, row) => {
    const place = next[target] ?? 0;
    rowsByNode[place] = row;
    next[target] = place + 1;
  });
}

function fillSlots(
  { slots }: Columns,
  nodes: Nodes,
  strings: readonly string[],
): void {
  const mask = slots.length - 1;
  for (let node = PACKAGES_NODE + 1; node < nodes.parents.length; node++) {
    const name = strings[nodes.names[node] ?? 0] ?? "";
    let slot = hashOf(nodes.parents[node] ?? 0, name) & mask;
    while (slots[slot] !== 0) slot = (slot + 1) & mask;
    slots[slot] = node + 1;
  }
}

/** Numbers things in the order they come. */
class Numbering<T> {
  readonly items: T[] = [];
  readonly #numbers = new Map<T, number>();

  of(item: T): number {
    let number = this.#numbers.get(item);
    if (number === undefined) {
      number = this.items.length;
      this.items.push(item);
      this.#numbers.set(item, number);
    }
    return number;
  }
}

/** The tree of paths and package names while it grows; a parent always comes before its children. */
class Nodes {
  readonly parents: number[] = [ROOT_NODE, ROOT_NODE];
  readonly names: number[];
  /** Nodes of package names. */
  readonly packages: number[] = [];
  readonly #paths = new Map<string, number>([["", ROOT_NODE]]);
  readonly #packages = new Map<string, number>();
  readonly #strings: Numbering<string>;

  constructor(strings: Numbering<string>) {
    this.#strings = strings;
    this.names = [strings.of(""), strings.of("")];
  }

  path(path: string): number {
    const known = this.#paths.get(path);
    if (known !== undefined) return known;
    const slash = path.lastIndexOf("/");
    const parent = this.path(slash < 0 ? "" : path.slice(0, slash));
    return this.#add(this.#paths, path, parent, path.slice(slash + 1));
  }

  target(target: Target): number {
    if (target.kind === "path") return this.path(target.key);
    const name = target.kind === "package" ? target.name : SPECIAL[target.kind];
    const known = this.#packages.get(name);
    if (known !== undefined) return known;
    const node = this.#add(this.#packages, name, PACKAGES_NODE, name);
    this.packages.push(node);
    return node;
  }

  #add(
    map: Map<string, number>,
    key: string,
    parent: number,
    name: string,
  ): number {
    const node = this.parents.length;
    this.parents.push(parent);
    this.names.push(this.#strings.of(name));
    map.set(key, node);
    return node;
  }
}
