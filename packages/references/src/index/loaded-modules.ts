import { builtinModules } from "node:module";
import { groupBy } from "@skein/reporting/group-by";
import type { ReferenceKind } from "../reference.js";
import {
  below,
  dirOf,
  isWithin,
  keyOf,
  keysOf,
  TARGETLESS,
} from "../resolve.js";
import { KIND_TRAITS } from "./kinds.js";
import type { Layer } from "./layer.js";
import type { Layout } from "./layout.js";
import type { Matches } from "./matches.js";

/** Kinds with which settings select files, and with which a manifest describes its package to others. */
const NOT_FOLLOWED: ReadonlySet<ReferenceKind> = new Set<ReferenceKind>([
  "tsconfig-include",
  "entry",
  "dependency",
  "linked-dependency",
  "editor-plugin",
]);
/** Kinds whose name need not be that of an installed package. */
const NO_IMPORTS: ReadonlySet<ReferenceKind> = new Set<ReferenceKind>([
  ...TARGETLESS,
  "name-string",
]);
/** Guesses that have no meaning if git has no such file. */
const GUESSES: ReadonlySet<ReferenceKind> = new Set<ReferenceKind>([
  "root-guess",
  "near-guess",
  "own-guess",
]);
const MODULE = /\.[cm]?[jt]sx?$/;
/** Settings with which other packages compile the modules in the same folder or below it. */
const COMPILED_BY =
  `tsconfig.json jsconfig.json .babelrc .babelrc.json .babelrc.js babel.config.js
  babel.config.json .swcrc`.split(/\s+/);

/** The numbers of the packages that modules use; undefined if that isn't known. */
export type Reach = ReadonlySet<number> | undefined;

/** The inputs of the search. */
export interface LoadedModulesWorld {
  readonly layers: readonly Layer[];
  readonly layout: Layout;
  readonly matches: Matches;
}

/** The meaning of a path in a module. */
type Meaning = "found" | "missing" | "unknown";

/** The files that a search has reached, and the packages that they use. */
interface Found {
  readonly files: Set<string>;
  readonly used: Set<number>;
}

/** Follows the references of modules within their package, and finds the packages that they use. */
export class LoadedModules {
  readonly #world: LoadedModulesWorld;
  readonly #known = new Map<string, Reach>();
  readonly #byKey = new Map<number, ReadonlyMap<string, readonly string[]>>();
  /** The answers of `filesBelow`, by the package and the path. */
  readonly #below = new Map<string, readonly string[]>();
  #installed: ReadonlySet<string> | undefined;
  #byOwner: ReadonlyMap<number, readonly string[]> | undefined;
  #aliases:
    | ReadonlyMap<Layer, readonly (readonly string[] | undefined)[]>
    | undefined;

  constructor(world: LoadedModulesWorld) {
    this.#world = world;
  }

  /** Returns the packages that these modules of a package use. */
  of(owner: number, files: readonly string[]): Reach {
    const found = new Set<number>();
    for (const file of files) {
      if (!MODULE.test(file)) return undefined;
      if (!this.#known.has(file))
        this.#known.set(file, this.#ofFile(owner, file));
      const reach = this.#known.get(file);
      if (!reach) return undefined;
      for (const each of reach) found.add(each);
    }
    return found;
  }

  /** Returns the files of a package that a path may mean; none if it may mean a folder. */
  filesAt(path: string, owner: number, kind: ReferenceKind): readonly string[] {
    const files = this.#keysOf(owner).get(keyOf(path)) ?? [];
    const exact = files.filter((file) => file === path);
    if (exact.length > 0) return exact;
    return KIND_TRAITS[kind].takesFolders &&
      files.some((file) => dirOf(file) === path)
      ? []
      : files;
  }

  /**
   * Returns the files of a package that a path behind its name may mean: `exports` can insert folders, or map the path to
   * another file of the same name.
   */
  filesBelow(path: string, owner: number): readonly string[] {
    const key = keyOf(path);
    const dir = this.#world.layout.dirOf(owner);
    const byKey = this.#keysOf(owner);
    if (!byKey.has(below(dir, key))) return [];
    const asked = `${owner} ${key}`;
    let files = this.#below.get(asked);
    if (!files) {
      files = Array.from(byKey, ([each, those]) =>
        each === below(dir, key) || each.endsWith(`/${key}`) ? those : [],
      ).flat();
      this.#below.set(asked, files);
    }
    return files;
  }

  #ofFile(owner: number, start: string): Reach {
    const { layers, layout } = this.#world;
    const dir = layout.dirOf(owner);
    if (this.#replacesModules(dir)) return undefined;
    const found: Found = { files: new Set([start]), used: new Set() };
    const folders = new Set<string>();
    const addSettings = (folder: string): void => {
      if (!isWithin(folder, dir) || folders.has(folder)) return;
      folders.add(folder);
      for (const name of COMPILED_BY) found.files.add(below(folder, name));
      if (folder !== dir) addSettings(dirOf(folder));
    };
    for (const file of found.files) {
      addSettings(dirOf(file));
      for (const layer of layers)
        if (
          layer.isUnparsedFile(file) ||
          layer
            .rowsIn(file)
            .some((row) => !this.#follow(layer, row, owner, found))
        )
          return undefined;
    }
    return found.used;
  }

  /** Returns whether the manifest of the package in a folder replaces modules by others. */
  #replacesModules(dir: string): boolean {
    return this.#world.layers.some((layer) =>
      layer.rowsIn(below(dir, "package.json")).some((row) => {
        const target = layer.target(row);
        return (
          layer.isOwnGuess(row) &&
          layer.isPartial(row) &&
          target.kind === "path" &&
          target.path === dir
        );
      }),
    );
  }

  /** Adds the files and packages to which a row leads. @returns whether they are known */
  #follow(layer: Layer, row: number, owner: number, found: Found): boolean {
    const kind = layer.kind(row);
    if (NOT_FOLLOWED.has(kind)) return true;
    // A mock loads a module that its path doesn't name.
    if (kind === "mock") return false;
    if (layer.isPartial(row)) return this.#meansNothing(layer, row);
    const keys = this.#aliasesOf(layer, row);
    const meanings = keys.map((key) =>
      this.#add(key, layer, row, owner, found),
    );
    meanings.push(this.#directly(layer, row, owner, found));
    return (
      !meanings.includes("unknown") &&
      (meanings.includes("found") || GUESSES.has(kind))
    );
  }

  /** Returns whether a partial row is a guess at a folder that the project doesn't have. */
  #meansNothing(layer: Layer, row: number): boolean {
    const target = layer.target(row);
    return (
      layer.kind(row) === "root-guess" &&
      target.kind === "path" &&
      target.path !== "" &&
      !this.#world.layers.some((each) => each.hasFileBelow(target.path))
    );
  }

  /** Adds the target that a row names itself. */
  #directly(layer: Layer, row: number, owner: number, found: Found): Meaning {
    const target = layer.target(row);
    if (target.kind === "path")
      return this.#add(target.path, layer, row, owner, found);
    const to = layer.to(row);
    if (NO_IMPORTS.has(layer.kind(row))) {
      if (to >= 0 && to !== owner) found.used.add(to);
      return "found";
    }
    if (to === owner) return "unknown";
    if (to >= 0) found.used.add(to);
    // Any other name may be an alias in settings that the scanners don't understand, or mean a file that is built.
    return to >= 0 || this.#isInstalled(target.name) ? "found" : "missing";
  }

  /** Returns whether a name is that of a package which some workspace declares, or of a module of Node. */
  #isInstalled(name: string): boolean {
    this.#installed ??= new Set([
      ...builtinModules,
      ...this.#world.layout.workspaces.flatMap(({ declared }) => [...declared]),
    ]);
    return this.#installed.has(name) || this.#installed.has(`@types/${name}`);
  }

  #add(
    path: string,
    layer: Layer,
    row: number,
    owner: number,
    { files, used }: Found,
  ): Meaning {
    const { layout } = this.#world;
    const owned = layout.ownerOf(path);
    if (owned !== owner && owned !== layout.root) {
      if (owned >= 0) used.add(owned);
      return owned >= 0 ? "found" : "unknown";
    }
    if (path.includes("/node_modules/")) return "found";
    const meant = this.filesAt(path, owned, layer.kind(row));
    if (owned === owner) {
      for (const file of meant) files.add(file);
      return meant.length > 0 ? "found" : "missing";
    }
    // A file that no package owns affects the package that names it when it changes.
    if (!MODULE.test(layer.file(row))) return "found";
    return meant.length > 0 ? "unknown" : "missing";
  }

  #keysOf(owner: number): ReadonlyMap<string, readonly string[]> {
    let byKey = this.#byKey.get(owner);
    if (!byKey) {
      const { layers, layout } = this.#world;
      this.#byOwner ??= groupBy(
        layers.flatMap((layer) => [...layer.files()]),
        (file) => layout.ownerOf(file),
      );
      byKey = filesByKey(this.#byOwner.get(owner) ?? []);
      this.#byKey.set(owner, byKey);
    }
    return byKey;
  }

  /** Returns the paths that a row means because of aliases. */
  #aliasesOf(layer: Layer, row: number): readonly string[] {
    this.#aliases ??= this.#allAliases();
    return this.#aliases.get(layer)?.[row] ?? [];
  }

  #allAliases(): ReadonlyMap<
    Layer,
    readonly (readonly string[] | undefined)[]
  > {
    const { layers, matches } = this.#world;
    const aliases = new Map(
      layers.map((layer) => [
        layer,
        Array<string[] | undefined>(layer.table.rows).fill(undefined),
      ]),
    );
    for (const [key, rerouted] of matches.rerouted())
      for (const { layer, row } of rerouted) {
        const ofLayer = aliases.get(layer);
        if (ofLayer) (ofLayer[row] ??= []).push(key);
      }
    return aliases;
  }
}

/** Returns the files by each key with which a reference may mean them. */
function filesByKey(
  files: readonly string[],
): ReadonlyMap<string, readonly string[]> {
  const pairs = files.flatMap((file) =>
    keysOf(file).map((key) => [key, file] as const),
  );
  return new Map(
    Array.from(
      groupBy(pairs, ([key]) => key),
      ([key, list]) => [key, list.map(([, file]) => file)],
    ),
  );
}
