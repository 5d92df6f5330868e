import { remember } from "@skein/reporting/group-by";
import {
  below,
  dirOf,
  foldersAbove,
  isWithin,
  keyOf,
  packageNameOf,
  pathFrom,
  unfinishedPart,
} from "../../resolve.js";
import { FROM_PACKAGE } from "../../reference.js";
import type { Rerouted } from "./aliases.js";
import {
  beginsHere,
  exists,
  fileOf,
  fileOfLink,
  isStyleHere,
} from "./file-of.js";
import type { Layer } from "../layer.js";
import type { Layout } from "../layout.js";
import type { Row } from "./match.js";

/** The inputs that determine the folders at which a file's paths may begin. */
export interface FoldersWorld {
  readonly layers: readonly Layer[];
  readonly layout: Layout;
  /** @see rowsAtUsers */
  readonly atUsers: readonly Row[];
  /** Numbers of the workspaces whose settings include those in a file. */
  readonly usersOfSettings: (file: string) => Iterable<number>;
  /** Numbers of the workspaces that call the root's script which contains a row. */
  readonly callersOf: (row: Row) => readonly number[];
}

/** Finds the targets of paths that begin at another folder than their file's. */
export function rerouteByFolders(world: FoldersWorld): readonly Rerouted[] {
  const found: Rerouted[] = [];
  const targetAt = openTargetAt();
  addFromPackageFolder(found, world, targetAt);
  addFromSettingsOfOthers(found, world, targetAt);
  addFromNearFolders(found, world, targetAt);
  addFromOtherFolders(found, world, targetAt);
  return found;
}

/**
 * Adds strings of unknown purpose, which may be relative to the package's folder, where its scripts run, as well as to the
 * file's. A path that a program makes from its own folder begins there. It is added only if nothing is there: a build may
 * move the program to the package's folder.
 */
function addFromPackageFolder(
  found: Rerouted[],
  { layers, layout }: FoldersWorld,
  targetAt: TargetAt,
): void {
  for (const layer of layers) {
    const { guessRows, rowFile } = layer.table.columns;
    // The rows of a file follow each other.
    let file = -1;
    let own = "";
    let isElsewhere = false;
    for (const row of guessRows) {
      if (rowFile[row] !== file) {
        file = rowFile[row] ?? 0;
        own = layout.dirOf(layer.from(row));
        isElsewhere = layer.isLive(row) && dirOf(layer.file(row)) !== own;
      }
      if (!isElsewhere || layer.isPackage(row)) continue;
      if (isStyleHere(layer, row, layers)) continue;
      if (layer.isFromFile(row) && exists(layer.table.targetOf(row), layers))
        continue;
      const target = targetAt(own, layer, row);
      if (target && !isOnlyHere(layer, row, target.key, { layers, layout }))
        found.push(target);
    }
  }
}

/**
 * Returns whether git has a row's target at its file's folder, and nothing at the package's, which would be in another package: a
 * folder of a package can have the name of one beside it.
 */
function isOnlyHere(
  layer: Layer,
  row: number,
  there: string,
  { layers, layout }: Pick<FoldersWorld, "layers" | "layout">,
): boolean {
  const from = layer.from(row);
  const here = layer.table.targetOf(row);
  return (
    !layer.isPartial(row) &&
    layout.ownerOf(there) !== from &&
    layout.ownerOf(here) === from &&
    fileOf(here, layers) !== undefined &&
    !exists(there, layers)
  );
}

/**
 * Adds paths that go up, and that lead to nothing from their file's folder and from the package's. They may begin in a folder
 * between the two, where a build puts the program, or in a folder below that other settings name: Eleventy's `includes` begins
 * in its `input`.
 */
function addFromNearFolders(
  found: Rerouted[],
  { layers, layout }: FoldersWorld,
  targetAt: TargetAt,
): void {
  for (const layer of layers)
    for (const row of layer.table.columns.guessRows) {
      const from = layer.from(row);
      if (!layer.isLive(row) || layer.isPackage(row) || from < 0) continue;
      const specifier = layer.table.specifierOf(row);
      if (from === layout.root || !UPWARD.test(specifier)) continue;
      const own = layout.dirOf(from);
      const atOwn = targetAt(own, layer, row);
      if (
        exists(layer.table.targetOf(row), layers) ||
        (atOwn && exists(atOwn.key, layers))
      )
        continue;
      const dir = dirOf(layer.file(row));
      const between = foldersAbove(dir).filter((each) => isWithin(each, own));
      const below = [1, 2]
        .map((levels) => specifier.slice(levels * "../".length))
        .filter((steps) => steps.startsWith("../"));
      const target = [
        ...between.map((folder) =>
          resolveFrom(folder, specifier, layer.isPartial(row)),
        ),
        ...below.flatMap((steps) =>
          [dir, own].map((folder) =>
            resolveFrom(folder, steps, layer.isPartial(row)),
          ),
        ),
      ].find(
        (each) =>
          each && exists(each.key, layers) && layout.ownerOf(each.key) !== from,
      );
      if (target) found.push({ layer, row, ...target });
    }
}

/** A path that goes up to a name. */
const UPWARD = /^(?:\.\.\/)+[\w@]/;

/**
 * Adds paths that begin at the folder of each package that includes the settings with them, or calls the root's script with
 * them: `cd $INIT_CWD && ../../x.sh` (`beginsAtUsers`). For
 * packages that use settings in the root, such paths are resolved with the edges, too, for each user separately.
 */
function addFromSettingsOfOthers(
  found: Rerouted[],
  { layout, usersOfSettings, callersOf, atUsers }: FoldersWorld,
  targetAt: TargetAt,
): void {
  const usersOf = remember(usersOfSettings);
  for (const { layer, row } of atUsers) {
    const from = layer.from(row);
    for (const caller of callersOf({ layer, row })) {
      const target = targetAt(layout.dirOf(caller), layer, row);
      if (target) found.push(target);
    }
    for (const user of usersOf(layer.file(row))) {
      if (user === from) continue;
      const target = targetAt(layout.dirOf(user), layer, row);
      if (!target) continue;
      if (from !== layout.root || layout.ownerOf(target.key) === from)
        found.push(target);
    }
  }
}

/** Returns the rows of all files for which `beginsAtUsers` is true. */
export function rowsAtUsers(layers: readonly Layer[]): readonly Row[] {
  const rows: Row[] = [];
  for (const layer of layers)
    for (const row of layer.table.columns.guessRows)
      if (layer.isLive(row) && beginsAtUsers(layer, row, layers))
        rows.push({ layer, row });
  return rows;
}

/**
 * Returns whether a path of settings begins at the folder of the package that includes them, and not at the file's: it
 * begins with `<rootDir>/..` or `${configDir}/..`, or it goes up from the file's folder to no file of the project.
 */
function beginsAtUsers(
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

/** Returns the target of a row whose path begins at a folder, if it has one. */
type TargetAt = (
  folder: string,
  layer: Layer,
  row: number,
) => Rerouted | undefined;

/** Opens the search for targets at other folders. The same words occur in thousands of files of a package. */
function openTargetAt(): TargetAt {
  const openFolder = (partial: boolean) =>
    remember((folder: string) =>
      remember((specifier: string) => resolveFrom(folder, specifier, partial)),
    );
  const whole = openFolder(false);
  const partial = openFolder(true);
  return (folder, layer, row) => {
    const from = (layer.isPartial(row) ? partial : whole)(folder);
    const found = from(layer.table.specifierOf(row));
    return found && { layer, row, ...found };
  };
}

type ResolvedFrom = Required<Pick<Rerouted, "key" | "begins">>;

function resolveFrom(
  folder: string,
  specifier: string,
  partial: boolean,
): ResolvedFrom | undefined {
  const path = pathFrom(folder, specifier, partial);
  if (path === undefined) return undefined;
  return { key: keyOf(path), begins: partial ? unfinishedPart(specifier) : "" };
}

/** A name with an ending: a file, even if it is a build output. */
const FILE = /\.[A-Za-z]\w*$/;
/** A type of content that looks like a file: `application/vnd.acme.cells` (https://www.rfc-editor.org/rfc/rfc6838). */
const MEDIA_TYPE =
  /^(?:application|audio|font|image|message|model|multipart|text|video)\/(?:vnd|prs|x)[.-]/;

/** Adds paths that begin at the current directory, or whose beginning is unknown. */
function addFromOtherFolders(
  found: Rerouted[],
  world: FoldersWorld,
  targetAt: TargetAt,
): void {
  const { layers, layout } = world;
  for (const layer of layers)
    for (let row = 0; row < layer.table.rows; row++) {
      const kind = layer.kind(row);
      const isOwn =
        kind === "own-guess" &&
        layer.isPartial(row) &&
        layer.table.specifierOf(row).startsWith(FROM_PACKAGE);
      if (kind === "cwd-path" || isOwn) {
        // A program of the root usually runs in the folder of a package.
        const isAnywhere =
          !isOwn &&
          layer.from(row) === layout.root &&
          layer.table.specifierOf(row) === "./";
        const target =
          layer.isLive(row) && layer.from(row) >= 0 && !isAnywhere
            ? targetAt(layout.dirOf(layer.from(row)), layer, row)
            : undefined;
        if (target) found.push(target);
      } else if (kind === "symlink" && layer.isLive(row))
        found.push(...fromFolderOfLink(layer, row, world, targetAt));
      else if (kind === "task" && layer.isLive(row))
        found.push(...fromFolderOfTask(layer, row, world, targetAt));
      else if (kind === "root-guess" && !layer.isPartial(row))
        found.push(...belowFoldersAbove(layer, row, world));
    }
}

/**
 * Yields the paths of a file at the folder of a symlink to it, where most programs resolve them: TypeScript in a linked
 * tsconfig.json, Jest in a linked jest.config.js. Only those count that lead to nothing from the file's own folder, because Node
 * resolves imports there.
 */
function* fromFolderOfLink(
  link: Layer,
  linkRow: number,
  { layers, layout }: FoldersWorld,
  targetAt: TargetAt,
): Iterable<Rerouted> {
  const file =
    fileOfLink(link, linkRow, layers) ??
    fileOf(link.table.targetOf(linkRow), layers);
  const folder = dirOf(link.file(linkRow));
  for (const layer of file === undefined ? [] : layers)
    for (const row of layer.rowsIn(file ?? "")) {
      if (layer.isPackage(row) || exists(layer.table.targetOf(row), layers))
        continue;
      const target = targetAt(folder, layer, row);
      if (target && layout.ownerOf(target.key) !== link.from(linkRow))
        yield target;
    }
}

/** Yields an input of a task in the root's settings that goes up from the folder of the task's package. */
function* fromFolderOfTask(
  layer: Layer,
  row: number,
  { layout }: FoldersWorld,
  targetAt: TargetAt,
): Iterable<Rerouted> {
  if (
    layer.from(row) !== layout.root ||
    !layer.table.specifierOf(row).startsWith("../")
  )
    return;
  const owner = layout.byName.get(packageNameOf(layer.table.suffixOf(row)));
  // One package is enough of those that are in the same folder.
  const folders =
    owner === undefined
      ? new Map(
          [...layout.byDir.keys()].map((dir) => [dirOf(dir), dir]),
        ).values()
      : [layout.dirOf(owner)];
  for (const folder of folders) {
    const target = targetAt(folder, layer, row);
    if (target) yield target;
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
  if (MEDIA_TYPE.test(specifier)) return;
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
