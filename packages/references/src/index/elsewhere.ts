import {
  below,
  dirOf,
  foldersAbove,
  keyOf,
  pathFrom,
  unfinishedPart,
} from "../resolve.js";
import { FROM_PACKAGE } from "../reference.js";
import type { Rerouted } from "./aliases.js";
import { fileOf } from "./file-of.js";
import { beginsHere, isStyleHere } from "./here.js";
import type { Layer } from "./layer.js";
import type { Layout } from "./layout.js";

/** The inputs that determine the folders at which a file's paths may begin. */
export interface FoldersWorld {
  readonly layers: readonly Layer[];
  readonly layout: Layout;
  /** Numbers of the workspaces whose settings include those in a file. */
  readonly usersOfSettings: (file: string) => Iterable<number>;
}

/** Finds the targets of paths that begin at another folder than their file's. */
export function rerouteByFolders(world: FoldersWorld): readonly Rerouted[] {
  return [
    ...fromPackageFolder(world),
    ...fromSettingsOfOthers(world),
    ...fromOtherFolders(world),
  ];
}

/**
 * Yields strings of unknown purpose, which may be relative to the package's folder, where its scripts run, as well as to the
 * file's.
 */
function* fromPackageFolder({
  layers,
  layout,
}: FoldersWorld): Iterable<Rerouted> {
  for (const layer of layers)
    for (const row of layer.table.columns.guessRows) {
      if (!layer.isLive(row) || layer.isPackage(row)) continue;
      const own = layout.dirOf(layer.from(row));
      if (dirOf(layer.file(row)) !== own && !isStyleHere(layer, row, layers))
        yield* begunAt(own, layer, row);
    }
}

/**
 * Yields paths of settings that begin at the folder of each package that includes these settings (`beginsAtUsers`). For
 * packages that use settings in the root, such paths are resolved with the edges, too, for each user separately.
 */
function* fromSettingsOfOthers({
  layers,
  layout,
  usersOfSettings,
}: FoldersWorld): Iterable<Rerouted> {
  const users = new Map<string, Iterable<number>>();
  const usersOf = (file: string) => {
    const known = users.get(file) ?? usersOfSettings(file);
    users.set(file, known);
    return known;
  };
  for (const layer of layers)
    for (const row of layer.table.columns.guessRows) {
      if (!layer.isLive(row) || !beginsAtUsers(layer, row, layers)) continue;
      const from = layer.from(row);
      for (const user of usersOf(layer.file(row)))
        for (const found of user === from
          ? []
          : begunAt(layout.dirOf(user), layer, row))
          if (from !== layout.root || layout.ownerOf(found.key) === from)
            yield found;
    }
}

/**
 * Returns whether a path of settings begins at the folder of the package that includes them, and not at the file's: it
 * begins with `<rootDir>/..` or `${configDir}/..`, or it goes up from the file's folder to no file of the project.
 */
export function beginsAtUsers(
  layer: Layer,
  row: number,
  layers: readonly Layer[],
): boolean {
  const specifier = layer.table.specifierOf(row);
  if (!specifier.startsWith("../")) return specifier.startsWith("./../");
  const path = layer.table.targetOf(row);
  return (
    path.startsWith("../") ||
    (FILE.test(specifier) &&
      !layer.isPartial(row) &&
      fileOf(path, layers) === undefined)
  );
}

function* begunAt(
  folder: string,
  layer: Layer,
  row: number,
): Iterable<Rerouted> {
  const partial = layer.isPartial(row);
  const specifier = layer.table.specifierOf(row);
  const path = pathFrom(folder, specifier, partial);
  if (path === undefined) return;
  const begins = partial ? unfinishedPart(specifier) : "";
  yield { layer, row, key: keyOf(path), begins };
}

/** A name with an ending: a file, even if it is a build output. */
const FILE = /\.[A-Za-z]\w*$/;

/** Yields paths that begin at the current directory, or whose beginning is unknown. */
function* fromOtherFolders(world: FoldersWorld): Iterable<Rerouted> {
  const { layers, layout } = world;
  for (const layer of layers)
    for (let row = 0; row < layer.table.rows; row++) {
      const kind = layer.kind(row);
      const isOwn =
        kind === "own-guess" &&
        layer.isPartial(row) &&
        layer.table.specifierOf(row).startsWith(FROM_PACKAGE);
      if (kind === "cwd-path" || isOwn) {
        if (layer.isLive(row) && layer.from(row) >= 0)
          yield* begunAt(layout.dirOf(layer.from(row)), layer, row);
      } else if (kind === "root-guess" && !layer.isPartial(row))
        yield* belowFoldersAbove(layer, row, world);
    }
}

/**
 * Yields paths whose beginning is unknown, and which may begin in a folder that contains packages:
 * `join(packagesDir, "b", "x.js")`, `import "b/x.proto"`. They count if they name a package in that folder, and a file of it.
 */
function* belowFoldersAbove(
  layer: Layer,
  row: number,
  world: FoldersWorld,
): Iterable<Rerouted> {
  const { layers, layout } = world;
  const from = layer.from(row);
  if (from < 0 || from === layout.root || !layer.isLive(row)) return;
  const specifier = layer.table.specifierOf(row).replace(/^\.\//, "");
  const [first = "", second = ""] = specifier.split("/", 2);
  for (const above of foldersAbove(layout.dirOf(from))) {
    if (above === "") break;
    const dirs = [below(above, first), below(above, `${first}/${second}`)];
    const to = dirs.find((each) => layout.byDir.has(each));
    const path = below(above, specifier);
    if (to === undefined || layout.byDir.get(to) === from || path === to)
      continue;
    if (beginsHere(layer, row, world)) return;
    if (FILE.test(path) || fileOf(path, layers) !== undefined)
      yield { layer, row, key: keyOf(path) };
  }
}
