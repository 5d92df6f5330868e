import { groupBy } from "@skein/reporting/group-by";
import type { FoundReference } from "../graph.js";
import type { ReferenceKind } from "../reference.js";
import {
  below,
  dirOf,
  foldersAbove,
  isWithin,
  keyOf,
  keysOf,
  mayEndWith,
  packageNameOf,
  pathFrom,
  plainSpecifier,
} from "../resolve.js";
import {
  readAliases,
  rerouteByAliases,
  targetsOfName,
  type Aliases,
  type Rerouted,
} from "./aliases.js";
import { rerouteByFolders } from "./elsewhere.js";
import { beginsHere, type HereWorld } from "./here.js";
import { settingsOver, usersOfSettings } from "./settings-users.js";
import {
  readCalledScripts,
  type CalledScripts,
  type ScriptWord,
} from "./called-scripts.js";
import { KIND_TRAITS } from "./kinds.js";
import type { Layer } from "./layer.js";
import type { Layout } from "./layout.js";

/** A row that may mean a path. */
export interface Match {
  readonly layer: Layer;
  readonly row: number;
  /** It means a folder that contains the path. */
  readonly byFolder: boolean;
  readonly reference: FoundReference;
  /** The script of the root that uses the path, if the reference is a package's call of that script. */
  readonly script?: FoundReference;
}

/** References of scripts, whose text is on their line in the manifest. */
const BY_SCRIPTS: ReadonlySet<ReferenceKind> = new Set<ReferenceKind>([
  "script",
  "test-script",
  "glob",
  "root-path",
  "root-guess",
]);

/** Finds the rows that may mean a path. An index that needs a pass over all rows is made at its first use. */
export class Matches {
  readonly #layers: readonly Layer[];
  readonly #layout: Layout;
  readonly #world: HereWorld;
  #rerouted: ReadonlyMap<string, readonly Rerouted[]> | undefined;
  #aliases: Aliases | undefined;
  #calledScripts: CalledScripts | undefined;

  constructor(layers: readonly Layer[], layout: Layout) {
    this.#layers = layers;
    this.#layout = layout;
    this.#world = { layers, layout };
  }

  /** Returns all rows that may mean this path, sorted by file. */
  of(path: string): readonly Match[] {
    const matches = this.withGuesses(path);
    // A word without a folder may name a file beside it. In a package, such words are too frequent to count.
    const isRoots = this.#layout.ownerOf(path) === this.#layout.root;
    const meant = matches.filter(
      ({ layer, row }) =>
        !layer.isOwnGuess(row) && (isRoots || layer.kind(row) !== "near-guess"),
    );
    const byCall = meant.flatMap((match) => this.#callsOf(match));
    return [...meant, ...byCall].sort(byPlace);
  }

  /**
   * Returns the same rows with those that only may lead to a file of the same package, unsorted, and without calls of
   * scripts.
   */
  withGuesses(path: string): readonly Match[] {
    return [
      ...this.#direct(path),
      ...this.#byName(path),
      ...this.#byOtherName(path),
    ];
  }

  /** Returns whether a row belongs to a script of the root: importing the root's manifest doesn't run it. */
  isOfRootScript(layer: Layer, row: number): boolean {
    return (
      BY_SCRIPTS.has(layer.kind(row)) &&
      layer.from(row) === this.#layout.root &&
      layer.file(row) === "package.json"
    );
  }

  /** Returns the packages' calls of the root's script that contains a row. */
  callsOfScript(layer: Layer, row: number): readonly ScriptWord[] {
    if (!this.isOfRootScript(layer, row)) return [];
    const { line } = layer.table.referenceOf(row);
    return [...(this.#called().callersOf.get(line) ?? [])];
  }

  #callsOf({ layer, row, byFolder, reference }: Match): Match[] {
    const { target } = reference;
    const path = target.kind === "path" ? target.path : undefined;
    return this.callsOfScript(layer, row).map((call) => ({
      ...match(call.layer, call.row, byFolder, path),
      script: reference,
    }));
  }

  #called(): CalledScripts {
    return (this.#calledScripts ??= readCalledScripts(
      this.#layers,
      this.#layout,
    ));
  }

  /** Returns rows that have another meaning because of an alias, or relative to another folder. */
  rerouted(): ReadonlyMap<string, readonly Rerouted[]> {
    if (this.#rerouted) return this.#rerouted;
    const named = this.#named.bind(this);
    const all = [
      ...rerouteByAliases(this.#layers, this.#allAliases()),
      ...rerouteByFolders({
        layers: this.#layers,
        layout: this.#layout,
        usersOfSettings: (file) => usersOfSettings(file, named),
      }),
      ...this.#called().rerouted,
    ];
    return (this.#rerouted = groupBy(all, ({ key }) => key));
  }

  /** Returns the targets to which aliases lead a name that an external package of a package uses. */
  ofNameInExternal(from: number, name: string): readonly Rerouted[] {
    return targetsOfName(this.#allAliases(), this.#layout.dirOf(from), name);
  }

  #allAliases(): Aliases {
    return (this.#aliases ??= readAliases(this.#layers, (settings) =>
      settingsOver(settings, this.#named.bind(this)),
    ));
  }

  /** Returns the rows that may mean a file by its path or by its package's name. */
  #named(path: string, only?: ReferenceKind): readonly Match[] {
    return [...this.#direct(path, only), ...this.#byName(path, only)];
  }

  /** @param only rows of this kind; some kinds are rare, and only numbers are compared to find them */
  #direct(path: string, only?: ReferenceKind): Match[] {
    const matches: Match[] = [];
    const isUnowned = this.#layout.ownerOf(path) === this.#layout.root;
    for (const layer of this.#layers) {
      const rowsOf = (key: string) =>
        ofKind(layer, layer.rowsOfPath(key), only).filter(
          (row) =>
            !layer.isFromPackage(row) && !beginsHere(layer, row, this.#world),
        );
      // If a module is mocked, Jest loads the mock beside it.
      const mocked = path.replace(/(^|\/)__mocks__\//, "$1");
      for (const key of mocked === path ? [] : keysOf(mocked))
        for (const row of rowsOf(key))
          if (layer.kind(row) === "mock")
            matches.push(match(layer, row, false));
      for (const key of keysOf(path))
        for (const row of rowsOf(key))
          // A reference to a folder means matching files in it, and not everything whose name begins like the folder.
          if (
            (key === path || !layer.isPartial(row)) &&
            (key !== dirOf(path) || !this.#isGuessAbove(layer, row, key))
          )
            matches.push(match(layer, row, false));
      for (const folder of foldersAbove(path))
        for (const row of rowsOf(folder))
          // `join(root, name)` may be any file that no package owns; packages are usually named.
          if (
            ((isUnowned && this.#isOpen(layer, row, folder)) ||
              this.#takes(layer, row, folder)) &&
            layer.mayMean(row, folder, path)
          )
            matches.push(match(layer, row, true));
    }
    return dedupe(matches);
  }

  /** Returns imports like `@m/core/src/x`: the path below the folder of the package of that name. */
  #byName(path: string, only?: ReferenceKind): Match[] {
    const keys = new Set(keysOf(path));
    const folders = new Set(foldersAbove(path));
    const matches: Match[] = [];
    for (const root of folders) {
      const number = this.#layout.byDir.get(root);
      if (number === undefined) continue;
      const name = this.#layout.nameOf(number);
      for (const layer of this.#layers)
        for (const row of ofKind(layer, layer.rowsOfPackage(name), only)) {
          const partial = layer.isPartial(row);
          const specifier = plainSpecifier(layer.table.specifierOf(row));
          const subpath = specifier.slice(packageNameOf(specifier).length);
          const key = pathFrom(root, `.${subpath}`, partial);
          if (key === undefined) continue;
          const byFolder =
            partial && folders.has(key) && layer.mayMean(row, key, path);
          // A preset that is named by its package only is a file at the top of the package.
          const isNamed =
            subpath === ""
              ? only === "extends" && dirOf(path) === root
              : keys.has(keyOf(key)) || isBelow(keys, root, subpath);
          if (byFolder || isNamed) matches.push(match(layer, row, byFolder));
        }
    }
    return matches;
  }

  #byOtherName(path: string): Match[] {
    const matches: Match[] = [];
    const rerouted = this.rerouted();
    if (rerouted.size === 0) return matches;
    for (const key of keysOf(path))
      for (const { layer, row } of rerouted.get(key) ?? [])
        if (
          (key === path || !layer.isPartial(row)) &&
          (key !== dirOf(path) || !this.#isGuessAbove(layer, row, key))
        )
          matches.push(match(layer, row, false, key));
    for (const folder of foldersAbove(path))
      for (const { layer, row, begins = "" } of rerouted.get(folder) ?? [])
        if (
          this.#takes(layer, row, folder) &&
          path.startsWith(below(folder, begins)) &&
          mayEndWith(path, layer.table.suffixOf(row))
        )
          matches.push(match(layer, row, true, folder));
    return matches;
  }

  /**
   * Returns whether any file in a folder that no package owns may be meant. A single name from the root means only packages.
   */
  #isOpen(layer: Layer, row: number, folder: string): boolean {
    if (!layer.isPartial(row)) return false;
    const isName =
      layer.kind(row) === "root-guess" && folder !== "" && dirOf(folder) === "";
    return !isName || this.#layout.holdsWorkspaces(folder);
  }

  /** Whether a row that means this folder means everything in it. */
  #takes(layer: Layer, row: number, folder: string): boolean {
    const { takesFolders, isGuess } = KIND_TRAITS[layer.kind(row)];
    const partial = layer.isPartial(row);
    if (!partial && !takesFolders) return false;
    if (partial && !isGuess) return true;
    return !this.#isAbove(layer, row, folder);
  }

  #isGuessAbove(layer: Layer, row: number, folder: string): boolean {
    return (
      KIND_TRAITS[layer.kind(row)].isGuess && this.#isAbove(layer, row, folder)
    );
  }

  /** `path.join(__dirname, "../..")` says where the project is, not that everything in it matters. */
  #isAbove(layer: Layer, row: number, folder: string): boolean {
    return isWithin(this.#layout.dirOf(layer.from(row)), folder);
  }
}

/**
 * Returns whether a subpath may mean a file in a deeper folder: `exports`, Jest's `moduleNameMapper` and bundlers' aliases
 * insert folders (`@m/a/__tests__/help` is `src/__tests__/help.ts`). One word without a folder isn't specific enough.
 */
function isBelow(
  keys: ReadonlySet<string>,
  root: string,
  subpath: string,
): boolean {
  const end = keyOf(subpath);
  return (
    /[^/][/.]/.test(end) &&
    [...keys].some((key) => key.endsWith(end) && isWithin(key, root))
  );
}

function ofKind(
  layer: Layer,
  rows: readonly number[],
  only: ReferenceKind | undefined,
): readonly number[] {
  return only === undefined
    ? rows
    : rows.filter((row) => layer.kind(row) === only);
}

function match(
  layer: Layer,
  row: number,
  byFolder: boolean,
  path?: string,
): Match {
  return { layer, row, byFolder, reference: layer.found(row, path) };
}

function dedupe(matches: readonly Match[]): Match[] {
  const seen = new Set<string>();
  return matches.filter(
    ({ reference: { file, line, column, kind, specifier } }) => {
      const key = `${file}\0${line}\0${column}\0${kind}\0${specifier}`;
      return !seen.has(key) && seen.add(key);
    },
  );
}

/** Sorts by file, line and column; by code units, so that the order is the same everywhere. */
function byPlace(a: Match, b: Match): number {
  const [x, y] = [a.reference, b.reference];
  if (x.file !== y.file) return x.file < y.file ? -1 : 1;
  return x.line - y.line || x.column - y.column;
}
