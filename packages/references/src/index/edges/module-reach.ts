import type { ReferenceKind } from "../../reference.js";
import { below, dirOf, packageNameOf } from "../../resolve.js";
import {
  callsProgram,
  entriesOf,
  hasOnlyPrograms,
  isLoadedByConvention,
  mapsPaths,
} from "../users/entries.js";
import { fileKind } from "../../scan/file-kinds.js";
import type { Layer } from "../layer.js";
import { LoadedModules, type LoadedModulesWorld } from "./loaded-modules.js";
import { ofText, openKnownFiles, pathOf, TEXT } from "./known-files.js";
import { MODULE, PackageFiles } from "./package-files.js";
import { joinReaches, type Reach } from "./reach.js";
import type { RowWithPath } from "../targets/match.js";
import { remember } from "@skein/reporting/group-by";

/** Kinds that load one module, and give the program no path with which it could find other files beside the module. */
const IMPORTS: ReadonlySet<ReferenceKind> = new Set<ReferenceKind>([
  "import",
  "export",
  "dynamic-import",
  "type",
]);
/** Kinds that name one file, or the files of one folder, which may be loaded or read. */
const NAMES_FILE: ReadonlySet<ReferenceKind> = new Set<ReferenceKind>([
  "config",
  "path-string",
  "root-path",
  "root-guess",
  "glob",
]);

/** Finds what a reference to another package leads to. */
export interface ModuleReach {
  /**
   * Returns the files of a package that a row leads to, with all that these load, and the packages that they use. The package
   * that contains the row depends on these packages, but not on others that the other package depends on. If it doesn't declare
   * the other package, it depends on no other files of it, either.
   * @param to the number of the package that the row leads to
   * @param isDeclared whether the package that contains the row declares the other one. If not, its name alone means all that
   *   it declares.
   */
  ofRow(use: RowWithPath, to: number, isDeclared: boolean): Reach;
  /**
   * Returns the packages that the programs of a package use, since a script can run a program without a reference to its
   * package.
   */
  ofPrograms(owner: number): Reach;
  /**
   * Returns the packages that a package uses for those that declare it without naming it. If it has programs, but nothing that
   * its name alone means, that is what its programs use; otherwise it isn't known.
   */
  ofUnnamed(owner: number): Reach;
}

/** The inputs of the search. */
export interface ModuleReachWorld extends LoadedModulesWorld {
  /** Whether a package, by its number, provides a program. */
  readonly hasPrograms: (owner: number) => boolean;
  /** Whether a path from its package's folder is a page of documentation by its name. */
  readonly isPage: (path: string) => boolean;
}

/** Fields of a manifest that lead to no file of its package. */
const DESCRIBES =
  /^(?:(?:name|version|description|license|author|homepage|repository|bugs|keywords|engines|private|(?:d|devD|peerD)ependencies)(?:\/|$))+$/;
const NOTHING: Reach = { used: new Set(), files: undefined };

/** Opens the search for what references to other packages lead to. */
export function openModuleReach(world: ModuleReachWorld): ModuleReach {
  return new FoundReach(world);
}

class FoundReach implements ModuleReach {
  readonly #world: ModuleReachWorld;
  readonly #files: PackageFiles;
  readonly #modules: LoadedModules;
  readonly #ofKnown: (use: RowWithPath, to: number) => Reach;
  /** Returns what the entry points of a package lead to. */
  readonly #ofEntries = remember((owner: number): Reach => {
    const files = isLoadedByConvention(owner, this.#world.layout)
      ? undefined
      : entriesOf(owner, this.#world);
    const reach = files && this.#modules.of(owner, files);
    // The name of a package or of a program may mean other files, too.
    return reach && { ...reach, files: undefined };
  });

  constructor(world: ModuleReachWorld) {
    this.#world = world;
    this.#files = new PackageFiles(world);
    this.#modules = new LoadedModules(world, this.#files);
    this.#ofKnown = openKnownFiles(world, this.#modules, this.#files);
  }

  ofRow(use: RowWithPath, to: number, isDeclared: boolean): Reach {
    const { layer, row } = use;
    const isPartial = layer.isPartial(row);
    if (!isPartial && callsProgram(layer, row)) return this.#ofEntries(to);
    const kind = layer.kind(row);
    if (kind === "extends") return this.#ofExtended(use, to);
    const isPath = use.path !== undefined || !layer.isPackage(row);
    const manifest = below(this.#world.layout.dirOf(to), "package.json");
    if (
      !isPartial &&
      DESCRIBES.test(layer.table.suffixOf(row)) &&
      (!isPath || (use.path ?? pathOf(layer, row)) === manifest)
    )
      return ofText(manifest);
    const specifier = layer.table.specifierOf(row);
    const isName = !isPath && packageNameOf(specifier) === specifier;
    const namesFile = isPath
      ? NAMES_FILE.has(kind) || layer.isOpened(row)
      : kind === "name-string" && !isName;
    if (!IMPORTS.has(kind) && kind !== "require" && !namesFile)
      return undefined;
    const page = this.#pageOf(use);
    if (page !== undefined) return ofText(page);
    const known = this.#ofKnown(use, to);
    if (known) return known;
    if (!isPartial && isName)
      return isDeclared ? this.#ofEntries(to) : undefined;
    const files = isPartial ? [] : this.#filesOf(use, to);
    const reach = files.length > 0 ? this.#modules.of(to, files) : undefined;
    if (files.length > 0 && !reach) return undefined;
    // `exports` can map a name to any entry point.
    if (reach && !isPath && !isDeclared && mapsPaths(to, this.#world))
      return { ...reach, files: undefined };
    // The manifest of a declared dependency already makes the whole package count.
    if (isDeclared || IMPORTS.has(kind)) return reach;
    const folders = new Set(
      files.length > 0 ? files.map(dirOf) : [this.#folderOf(use, to)],
    );
    const beside = joinReaches(
      Array.from(folders, (folder) =>
        folder === undefined ? undefined : this.#modules.ofFolder(to, folder),
      ),
    );
    // Without the files beside it, what the module loads is known nevertheless.
    return beside?.files || !reach ? beside : { ...reach, files: undefined };
  }

  ofUnnamed(owner: number): Reach {
    return hasOnlyPrograms(owner, this.#world)
      ? this.#ofEntries(owner)
      : undefined;
  }

  ofPrograms(owner: number): Reach {
    return this.#world.hasPrograms(owner) ? this.#ofEntries(owner) : NOTHING;
  }

  /**
   * Returns the files that a complete row may mean. If the package has no file at the path behind its name, the name means what
   * an alias makes of it, as in a package's own modules.
   */
  #filesOf({ layer, row, path }: RowWithPath, to: number): readonly string[] {
    const meant = path ?? pathOf(layer, row);
    const kind = layer.kind(row);
    if (meant !== undefined) return this.#files.at(meant, to, kind);
    const files = this.#files.behindName(subpathOf(layer, row), to);
    if (files.length > 0) return files;
    const byAlias = this.#modules
      .aliasesOf(layer, row)
      .flatMap((each) => this.#files.at(each, to, kind));
    // No program is built from a declaration.
    return byAlias.every(isCode) ? byAlias : [];
  }

  /** Returns the page to which a path leads, or `*` and the end of the pages' names; undefined for anything else. */
  #pageOf({ layer, row, path }: RowWithPath): string | undefined {
    const meant = path ?? pathOf(layer, row);
    if (meant === undefined) return undefined;
    const end = layer.table.suffixOf(row);
    const isPartial = layer.isPartial(row);
    const name = !isPartial
      ? this.#world.layout.withinOwner(meant)
      : end.startsWith("/")
        ? end.slice(1)
        : `x${end}`;
    if (!TEXT.test(name) || !this.#world.isPage(name)) return undefined;
    return isPartial ? `*${end}` : meant;
  }

  /** Returns the folder below which a row leads; undefined if it isn't known. */
  #folderOf({ layer, row, path }: RowWithPath, to: number): string | undefined {
    // An alias of a path with an open end means a path with an open end.
    if (path !== undefined && layer.isPartial(row)) return undefined;
    return (
      path ??
      pathOf(layer, row) ??
      below(this.#world.layout.dirOf(to), subpathOf(layer, row))
    );
  }

  /** Returns what a tsconfig leads to that another one extends, which lists its own files. */
  #ofExtended({ layer, row, path }: RowWithPath, to: number): Reach {
    const meant = path ?? pathOf(layer, row);
    const extender = layer.file(row);
    const isKnown =
      meant !== undefined &&
      !layer.isPartial(row) &&
      isTsconfig(extender) &&
      layer
        .rowsIn(extender)
        .some((each) => layer.kind(each) === "tsconfig-include");
    const [file, ...others] = isKnown
      ? this.#files.at(meant, to, "extends").filter(isTsconfig)
      : [];
    return file !== undefined && others.length === 0
      ? this.#modules.ofTsconfig(to, file)
      : undefined;
  }
}

function isCode(file: string): boolean {
  return MODULE.test(file) && !/\.d\.[cm]?ts$/.test(file);
}

function isTsconfig(file: string): boolean {
  return fileKind(file, "100644") === "tsconfig";
}

/** Returns the path behind the name of a package that a row names; of an open end, its last known folder. */
function subpathOf(layer: Layer, row: number): string {
  const specifier = layer.table.specifierOf(row);
  const path = specifier.slice(packageNameOf(specifier).length + 1);
  return layer.isPartial(row) ? dirOf(path) : path;
}
