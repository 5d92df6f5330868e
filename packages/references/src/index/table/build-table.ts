import type { FileFacts, ReferenceKind } from "../../reference.js";
import { dirOf, TARGETLESS } from "../../resolve.js";
import {
  endOfFacts,
  type FactsPart,
  FILE_NUMBERS,
  infoOf,
  KIND_NUMBER,
  REFERENCE_NUMBERS,
} from "./coded-facts.js";
import { bytesOf, columnsOf, type Columns, type Sizes } from "./columns.js";
import { Nodes, Numbering } from "./nodes.js";
import { hashOf, PACKAGES_NODE, PARTIAL, Table } from "./table.js";
import { type FilePlace, FilePlaces, Targets } from "../targets/targets.js";

/** One file with its facts. */
export interface ScannedFile {
  readonly path: string;
  /** Blob id in hexadecimal; empty if there is none. */
  readonly id: string;
  readonly facts: FileFacts;
}

export interface BuiltTable {
  readonly table: Table;
  readonly bytes: Buffer;
  readonly sizes: Sizes;
}

/**
 * Makes the table of these files. It omits references that mean nothing in the project (builtins, URLs).
 * @param isWhole whether these are all files of a tree, and so include every manifest; otherwise every row may leave its
 *   package
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
  readonly #targets = new Targets(this.#nodes, this.#strings);
  readonly #places = new FilePlaces(this.#nodes);
  readonly #rows: number[] = [];
  readonly #files: FileRow[] = [];
  readonly #manifestDirs = new Set([""]);

  add({ path, id, facts }: ScannedFile): void {
    const place = this.#begin(path, id, facts.unparsed);
    for (const reference of facts.references) {
      const { specifier, line, column } = reference;
      const words = this.#strings.of(specifier);
      this.#row(place, words, infoOf(reference), line, column);
    }
  }

  /**
   * Adds a file whose facts are coded.
   * @param at the index of its facts in the part's numbers
   */
  addCoded(path: string, id: string, part: FactsPart, at: number): void {
    const { numbers } = part;
    const note = numbers[at + 1] ?? 0;
    const unparsed = note > 0 ? part.strings[note - 1] : undefined;
    const place = this.#begin(path, id, unparsed);
    const end = endOfFacts(numbers, at);
    for (let i = at + FILE_NUMBERS; i < end; i += REFERENCE_NUMBERS)
      this.#row(
        place,
        this.#numberOf(part, numbers[i] ?? 0),
        numbers[i + 1] ?? 0,
        numbers[i + 2] ?? 1,
        numbers[i + 3] ?? 1,
      );
  }

  /** Converts a coder's number of a string to the number in this table. */
  #numberOf({ strings, known }: FactsPart, number: number): number {
    return (known[number] ??= this.#strings.of(strings[number] ?? ""));
  }

  #begin(path: string, id: string, unparsed: string | undefined): FilePlace {
    const strings = this.#strings;
    const place = this.#places.of(path);
    this.#files.push({
      id,
      node: this.#nodes.child(place.dir, strings.of(baseOf(path))),
      firstRow: this.#rows.length / 6,
      note:
        unparsed === undefined
          ? 0
          : strings.of(unparsed.replaceAll("\0", " ")) + 1,
    });
    if (path === MANIFEST || path.endsWith(`/${MANIFEST}`))
      this.#manifestDirs.add(dirOf(path));
    return place;
  }

  #row(
    place: FilePlace,
    specifier: number,
    info: number,
    line: number,
    column: number,
  ): void {
    const target = this.#targets.of(place, specifier, info);
    if (target < 0) return;
    const file = this.#files.length - 1;
    this.#rows.push(file, specifier, target, info, line, column);
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

function baseOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

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

/** Writes the collected rows into columns. */
function tableOf(
  { files, rows, manifests, nodes, strings }: Contents,
  isWhole: boolean,
): BuiltTable {
  const leaving = isWhole
    ? leavingRows(rows, files, nodes, manifests)
    : Array.from({ length: rows.length / 6 }, (_, row) => row);
  const guesses = rowsOfKinds(rows, [
    "path-string",
    "glob",
    "argument-path",
    "config",
    "coverage",
  ]);
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
 * Returns the rows that may leave their package with any set of workspaces. A workspace's folder contains a manifest, so a
 * target below the nearest manifest has the same owner.
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
  const leaving: number[] = [];
  const targetless = new Set(TARGETLESS.map((kind) => KIND_NUMBER.get(kind)));
  for (let row = 0; row < rows.length / 6; row++) {
    if (targetless.has((rows[row * 6 + 3] ?? 0) & 0xff)) continue;
    const file = files[rows[row * 6] ?? 0]?.node ?? 0;
    const target = rows[row * 6 + 2] ?? 0;
    const from = nearest[file] ?? 0;
    const isPartial = ((rows[row * 6 + 3] ?? 0) & PARTIAL) !== 0;
    if (
      nodes.parents[target] !== PACKAGES_NODE &&
      from === nearest[target] &&
      !isPartial
    )
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

/** Sorts the rows by their target (counting sort). */
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
