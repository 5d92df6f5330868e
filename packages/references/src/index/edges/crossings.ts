import type { Crossing } from "../../graph.js";
import { BESIDE } from "../../reference.js";
import { isWithin, unfinishedPart } from "../../resolve.js";
import { beginsHere } from "../targets/file-of.js";
import { KIND_TRAITS } from "../kinds.js";
import type { Layer } from "../layer.js";
import type { Layout } from "../layout.js";
import type { Matches } from "../targets/matches.js";

const leaving = (layer: Layer) => layer.leavingRows();

/** Receives one reference from one workspace into another, as numbers; nothing is decoded. */
export type OnCrossing = (
  layer: Layer,
  row: number,
  from: number,
  to: number,
  /** The file that it means, if it isn't the one that it names (an alias). */
  path?: string,
) => void;

/** References from one workspace into another. */
export interface Crossings {
  readonly layers: readonly Layer[];
  /** Calls `see` for each crossing among these rows, and for each that an alias makes. */
  each(rowsOf: (layer: Layer) => Uint32Array, see: OnCrossing): void;
  /** Whether a reference is a guess at a folder that contains the package itself: it only says where the project is. */
  isOnlyAbove(layer: Layer, row: number): boolean;
  /** Whether something in one workspace refers to another, or the manifest declares it. */
  isEdge(from: number, to: number): boolean;
  /** Returns the crossings sorted by file; with `undeclared` only those that no manifest shows. */
  list(undeclared: boolean): readonly Crossing[];
}

/** Opens the crossings of layers of tables. */
export function openCrossings(
  layers: readonly Layer[],
  layout: Layout,
  matches: Matches,
): Crossings {
  return new AllCrossings(layers, layout, matches);
}

class AllCrossings implements Crossings {
  readonly layers: readonly Layer[];
  readonly #layout: Layout;
  readonly #matches: Matches;
  #edges: ReadonlySet<number> | undefined;
  /** All workspaces, sorted by their folders. */
  #folders: readonly WorkspaceFolder[] | undefined;

  constructor(layers: readonly Layer[], layout: Layout, matches: Matches) {
    this.layers = layers;
    this.#layout = layout;
    this.#matches = matches;
  }

  each(rowsOf: (layer: Layer) => Uint32Array, see: OnCrossing): void {
    const world = { layers: this.layers, layout: this.#layout };
    for (const layer of this.layers)
      for (const row of rowsOf(layer)) {
        const from = layer.from(row);
        const to = layer.to(row);
        if (from < 0 || !layer.isLive(row) || layer.isOwnGuess(row)) continue;
        if (layer.isFromPackage(row)) continue;
        const isSpread = layer.isSpread(row);
        const leads = to >= 0 && from !== to;
        if ((!leads && !isSpread) || beginsHere(layer, row, world)) continue;
        if (leads) see(layer, row, from, to);
        if (isSpread) this.#spread(layer, row, from, see);
      }
    for (const [path, rerouted] of this.#matches.rerouted()) {
      const to = this.#layout.ownerOf(path);
      for (const { layer, row } of rerouted) {
        const from = layer.from(row);
        if (from >= 0 && layer.isFromPackage(row) && layer.isPartial(row))
          this.#spreadBelow(path, layer, row, from, see);
        // An alias of everything (`baseUrl`) means nothing in particular at the root.
        if (
          from >= 0 &&
          to >= 0 &&
          to !== from &&
          to !== this.#layout.root &&
          !layer.isOwnGuess(row) &&
          !this.#isFolderAbove(path, from)
        )
          see(layer, row, from, to, path);
      }
    }
  }

  /**
   * Yields every package below a folder or in a scope, for `import(`../${name}`)` and `import(`@m/${name}`)`: the name is not
   * known.
   */
  #spread(layer: Layer, row: number, from: number, see: OnCrossing): void {
    const target = layer.target(row);
    const begins = unfinishedPart(layer.table.specifierOf(row));
    if (target.kind === "package")
      this.#layout.workspaces.forEach(({ name, dir }, to) => {
        if (to !== from && dir !== "." && name.startsWith(target.name))
          see(layer, row, from, to);
      });
    // An unknown name beside packages may be one of them; a name in the root is a file or another folder.
    else if (target.path !== "" || layer.table.suffixOf(row) !== BESIDE)
      for (const [to] of this.#below(target.path, begins, from))
        see(layer, row, from, to);
  }

  /** The same for a path that begins at the folder of its package. */
  #spreadBelow(
    folder: string,
    layer: Layer,
    row: number,
    from: number,
    see: OnCrossing,
  ): void {
    const begins = unfinishedPart(layer.table.specifierOf(row));
    for (const [to, dir] of this.#below(folder, begins, from))
      see(layer, row, from, to, dir);
  }

  /** The packages, by number and folder, below a folder whose names there begin like this. */
  *#below(
    folder: string,
    begins: string,
    from: number,
  ): Iterable<readonly [to: number, dir: string]> {
    const start = folder === "" ? begins : `${folder}/${begins}`;
    this.#folders ??= this.#layout.workspaces
      .map(({ dir }, to) => ({ dir, to }))
      .toSorted((a, b) => (a.dir < b.dir ? -1 : 1));
    const found: number[] = [];
    let at = firstFrom(start, this.#folders);
    for (; this.#folders[at]?.dir.startsWith(start); at++)
      found.push(this.#folders[at]?.to ?? from);
    for (const to of found.sort((a, b) => a - b)) {
      const dir = this.#layout.dirOf(to);
      if (to !== from && dir !== ".") yield [to, dir];
    }
  }

  isOnlyAbove(layer: Layer, row: number): boolean {
    return (
      KIND_TRAITS[layer.kind(row)].takesFolders &&
      !layer.isPackage(row) &&
      !layer.isSpread(row) &&
      layer.isAbove(row)
    );
  }

  isEdge(from: number, to: number): boolean {
    if (this.#layout.isShown(from, to)) return true;
    this.#edges ??= this.#allEdges();
    return this.#edges.has(from * this.#layout.workspaces.length + to);
  }
  #allEdges(): ReadonlySet<number> {
    const found = new Set<number>();
    this.each(
      (layer) => layer.unshownRows(),
      (layer, row, from, to, path) => {
        if (path === undefined && this.isOnlyAbove(layer, row)) return;
        if (!layer.isNoUse(row))
          found.add(from * this.#layout.workspaces.length + to);
      },
    );
    return found;
  }

  #isFolderAbove(path: string, from: number): boolean {
    const dir = this.#layout.dirOf(from);
    return isWithin(dir, path);
  }

  list(undeclared: boolean): readonly Crossing[] {
    const crossings: Crossing[] = [];
    this.each(leaving, (layer, row, from, to, path) => {
      const kind = layer.kind(row);
      // Yarn's own edges aren't a problem of a manifest, and neither are those in a fixture's manifest.
      if (kind === "dependency" || kind === "linked-dependency") return;
      if (kind === "root-guess" && to === this.#layout.root) return;
      if (path === undefined && this.isOnlyAbove(layer, row)) return;
      if (!undeclared || !this.#layout.isDeclared(from, to))
        crossings.push({
          ...layer.found(row, path),
          to: this.#layout.nameOf(to),
        });
    });
    return crossings.sort((a, b) =>
      a.file === b.file
        ? a.line - b.line || a.column - b.column
        : a.file < b.file
          ? -1
          : 1,
    );
  }
}

interface WorkspaceFolder {
  readonly dir: string;
  /** The workspace's number. */
  readonly to: number;
}

/** Returns the index of the first folder that isn't sorted before this text. */
function firstFrom(text: string, folders: readonly WorkspaceFolder[]): number {
  let [low, high] = [0, folders.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((folders[middle]?.dir ?? "") < text) low = middle + 1;
    else high = middle;
  }
  return low;
}
