import { EXTERNALS, takesEffectUnread } from "@skein/known-tools";
import {
  CLOSED_SIGN,
  COVERAGE_SIGN,
  SHELL_SIGN,
  GLOBALS_SIGN,
  MAPS_SIGN,
  TOOL_SETTINGS,
  type ReferenceKind,
} from "../../reference.js";
import { below, packageNameOf, TARGETLESS } from "../../resolve.js";
import { fileKind } from "../../scan/file-kinds.js";
import { KIND_TRAITS, MODULE_KINDS } from "../kinds.js";
import { openCompiledBy } from "./compiled-by.js";
import type { Layer } from "../layer.js";
import type { Layout } from "../layout.js";
import type { Matches } from "../targets/matches.js";
import { entriesOf, mapsPaths } from "../users/entries.js";
import { MODULE, type PackageFiles } from "./package-files.js";
import { joinReaches, type Reach } from "./reach.js";

/** Kinds with which settings select files, and with which a manifest describes its package to others. */
const NOT_FOLLOWED: ReadonlySet<ReferenceKind> = new Set<ReferenceKind>([
  "tsconfig-include",
  "entry",
  "dependency",
  "linked-dependency",
  "editor-plugin",
]);
/** Returns whether a name may be loaded. That of an alias in a tsconfig matters only to modules that import it. */
function mayLoad(layer: Layer, row: number): boolean {
  const kind = layer.kind(row);
  return kind === "name-string"
    ? fileKind(layer.file(row), "100644") !== "tsconfig"
    : !NO_IMPORTS.has(kind);
}

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
/** Files that programs read, and that run nothing themselves. */
export const DATA =
  /\.(?:json5?|jsonc|css|s[ac]ss|less|mdx?|txt|[ct]sv|ya?ml|graphqls?|gql|proto|sql|html?|svg|xml|hbs|ejs|mustache)$/;
/** Pages and templates, in which a name without a dot means a file beside them: `<script src="x.js">`, `{{> x}}`. */
const NAMES_FILES_BESIDE = /\.(?:html?|hbs|handlebars|mustache)$/;

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
  /** Modules of the root that they load, and the settings with which these are compiled. */
  readonly ofRoot: Set<string>;
  readonly used: Set<number>;
  /** Whether one of them starts programs, which may read any other file of the package. */
  startsPrograms: boolean;
  /** Whether one of them names external packages. */
  namesExternals: boolean;
}

function openFound(files: Iterable<string>): Found {
  return {
    files: new Set(files),
    ofRoot: new Set(),
    used: new Set(),
    startsPrograms: false,
    namesExternals: false,
  };
}

/** Follows the references of modules within their package, and finds the packages that they use. */
export class LoadedModules {
  readonly #world: LoadedModulesWorld;
  readonly #files: PackageFiles;
  readonly #known = new Map<string, Reach>();
  #aliases:
    | ReadonlyMap<Layer, readonly (readonly string[] | undefined)[]>
    | undefined;

  constructor(world: LoadedModulesWorld, files: PackageFiles) {
    this.#world = world;
    this.#files = files;
  }

  /** Returns the files of a package that these modules or data files of it load, and the packages that they use. */
  of(owner: number, starts: readonly string[]): Reach {
    return joinReaches(
      starts.map((start) => {
        if (!MODULE.test(start) && !isData(start)) return undefined;
        if (!this.#known.has(start))
          this.#known.set(start, this.#ofFiles(owner, [start]));
        return this.#known.get(start);
      }),
    );
  }

  /**
   * Returns the same for everything in a folder of a package. The package's own folder, and one of outputs, may mean the whole
   * package.
   */
  ofFolder(owner: number, folder: string): Reach {
    const start = `${folder}/`;
    if (!this.#known.has(start)) {
      const inside = this.#files.inFolder(folder, owner);
      const reach = inside ? this.#ofFiles(owner, inside) : undefined;
      this.#known.set(
        start,
        reach?.files
          ? { ...reach, files: new Set([start, ...reach.files]) }
          : reach,
      );
    }
    return this.#known.get(start);
  }

  /**
   * Returns the same for a tsconfig that another one extends. The other one lists its own files, and doesn't inherit the projects
   * to which this one refers.
   * @param isProject whether a program reads it as the project itself, and with it the projects in the same package to which it
   *   refers
   */
  ofTsconfig(owner: number, file: string, isProject = false): Reach {
    const { layers, layout } = this.#world;
    const found = openFound([file]);
    const isFollowed = (layer: Layer, row: number) => {
      if (layer.kind(row) !== "tsconfig-reference") return true;
      const target = layer.target(row);
      return (
        isProject &&
        target.kind === "path" &&
        layout.ownerOf(target.path) === owner
      );
    };
    for (const each of found.files) {
      if (fileKind(each, "100644") !== "tsconfig") return undefined;
      for (const layer of layers)
        for (const row of layer.rowsIn(each))
          if (isFollowed(layer, row) && !this.#follow(layer, row, owner, found))
            return undefined;
    }
    const files = new Set([...found.files, EXTERNALS]);
    return { used: found.used, files, isText: true };
  }

  #ofFiles(owner: number, starts: readonly string[]): Reach {
    const { layers, layout } = this.#world;
    const dir = layout.dirOf(owner);
    if (this.#replacesModules(dir)) return undefined;
    const found = openFound(starts);
    const settings = openCompiledBy(dir);
    const settingsOfRoot = openCompiledBy("");
    const isKnown = (file: string): boolean =>
      layers.every(
        (layer) =>
          !layer.isUnparsedFile(file) &&
          layer
            .rowsIn(file)
            .every((row) => this.#follow(layer, row, owner, found)),
      );
    for (let size = -1; size < found.files.size + found.ofRoot.size;) {
      size = found.files.size + found.ofRoot.size;
      for (const file of found.files) {
        if (NAMES_FILES_BESIDE.test(file)) return undefined;
        for (const each of settings(file)) found.files.add(each);
        if (!isKnown(file)) return undefined;
      }
      for (const file of found.ofRoot) {
        for (const each of settingsOfRoot(file)) found.ofRoot.add(each);
        if (!isKnown(file)) return undefined;
      }
    }
    const files = [...found.files].filter((file) => !takesEffectUnread(file));
    if (found.namesExternals) files.push(EXTERNALS);
    const { used, startsPrograms } = found;
    return { used, files: startsPrograms ? undefined : new Set(files) };
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
    found.startsPrograms ||= startsProgram(layer, row);
    // A mock loads a module that its path doesn't name.
    if (kind === "mock" && layer.table.suffixOf(row) === "") return false;
    if (layer.isPartial(row))
      return (
        this.#meansNothing(layer, row) ||
        this.#addOpen(layer, row, owner, found)
      );
    const keys = this.aliasesOf(layer, row);
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
    found.namesExternals ||= to < 0 && mayLoad(layer, row);
    if (NO_IMPORTS.has(layer.kind(row))) {
      if (to >= 0 && to !== owner) found.used.add(to);
      return "found";
    }
    if (to === owner) return this.#ofItself(layer, row, owner, found);
    if (to >= 0) found.used.add(to);
    // Any other name may be an alias in settings that the scanners don't understand, or mean a file that is built. Settings name
    // packages, for which scanners note several names: `env` means `@babel/preset-env`, or `babel-preset-env`.
    return to >= 0 ||
      TOOL_SETTINGS.has(layer.kind(row)) ||
      this.#world.layout.isInstalled(target.name)
      ? "found"
      : "missing";
  }

  /** Adds what a package's own name means in one of its modules: files of the path behind the name, or its entry points. */
  #ofItself(layer: Layer, row: number, owner: number, found: Found): Meaning {
    const specifier = layer.table.specifierOf(row);
    const path = specifier.slice(packageNameOf(specifier).length + 1);
    const files = path === "" ? [] : this.#files.behindName(path, owner);
    for (const file of files) found.files.add(file);
    if (files.length > 0) return "found";
    // `exports` can map a name to any entry point.
    const entries =
      path === "" || mapsPaths(owner, this.#world)
        ? entriesOf(owner, this.#world)
        : [];
    for (const file of entries ?? []) found.files.add(file);
    return !entries ? "unknown" : path === "" ? "found" : "missing";
  }

  #add(
    path: string,
    layer: Layer,
    row: number,
    owner: number,
    found: Found,
  ): Meaning {
    const { files, used } = found;
    const { layout } = this.#world;
    const owned = layout.ownerOf(path);
    if (owned !== owner && owned !== layout.root) {
      if (owned >= 0) used.add(owned);
      return owned >= 0 ? "found" : "unknown";
    }
    if (path.includes("/node_modules/")) {
      found.namesExternals = true;
      return "found";
    }
    const meant = this.#files.at(path, owned, layer.kind(row));
    if (owned === owner) {
      for (const file of meant) files.add(file);
      if (meant.length > 0) return "found";
      return KIND_TRAITS[layer.kind(row)].takesFolders
        ? this.#addFolder(path, owner, found)
        : "missing";
    }
    // A file that no package owns affects the package that names it when it changes. It may load others.
    if (!MODULE.test(layer.file(row))) return "found";
    for (const file of meant) if (MODULE.test(file)) found.ofRoot.add(file);
    return meant.length > 0 ? "found" : "missing";
  }

  /**
   * Adds everything in the folder below which a row computes a path: `import(`./parts/${name}.js`)`.
   * @returns whether it is known
   */
  #addOpen(layer: Layer, row: number, owner: number, found: Found): boolean {
    const target = layer.target(row);
    return (
      target.kind === "path" &&
      MODULE_KINDS.has(layer.kind(row)) &&
      this.aliasesOf(layer, row).length === 0 &&
      this.#addFolder(target.path, owner, found) === "found"
    );
  }

  /** Adds everything in a folder of a package, except the package's own folder. */
  #addFolder(folder: string, owner: number, found: Found): Meaning {
    const inside = this.#files.inFolder(folder, owner);
    if (!inside) return "missing";
    for (const file of [`${folder}/`, ...inside]) found.files.add(file);
    return "found";
  }

  /** Returns the paths that a row means because of aliases. */
  aliasesOf(layer: Layer, row: number): readonly string[] {
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

const SIGNS: ReadonlySet<string> = new Set([
  CLOSED_SIGN,
  COVERAGE_SIGN,
  GLOBALS_SIGN,
  MAPS_SIGN,
]);

function isSign(name: string): boolean {
  return SIGNS.has(name) || name.startsWith(SHELL_SIGN);
}

/** Returns whether a row starts a program or a script. */
function startsProgram(layer: Layer, row: number): boolean {
  const kind = layer.kind(row);
  return (
    kind === "script-call" ||
    (kind === "program" && !isSign(layer.table.specifierOf(row)))
  );
}

/** Returns whether programs read a file for its data, and not to find others. */
function isData(file: string): boolean {
  return DATA.test(file) && !takesEffectUnread(file);
}
