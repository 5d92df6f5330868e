import type { ReferenceKind } from "../reference.js";
import { packageNameOf } from "../resolve.js";
import {
  callsProgram,
  entriesOf,
  hasOnlyPrograms,
  isLoadedByConvention,
} from "./entries.js";
import type { Layer } from "./layer.js";
import type { Layout } from "./layout.js";
import {
  LoadedModules,
  type LoadedModulesWorld,
  type Reach,
} from "./loaded-modules.js";

/** Kinds that load one module, and what that module loads, but nothing else. */
const LOADS_MODULE: ReadonlySet<ReferenceKind> = new Set<ReferenceKind>([
  "import",
  "export",
  "dynamic-import",
  "require",
  "type",
]);
/** Kinds that name one file, which may be loaded or read. */
const NAMES_FILE: ReadonlySet<ReferenceKind> = new Set<ReferenceKind>([
  "config",
  "path-string",
  "root-path",
  "root-guess",
]);
/** Finds what a reference to another package leads to. */
export interface ModuleReach {
  /**
   * Returns the packages that the modules of a package use which a row loads, with all modules of that package that these
   * load. The package that contains the row depends on the other package's own files, and on these packages, but not on
   * others that the other package depends on.
   * @param to the number of the package that the row leads to
   * @param isDeclared whether the package that contains the row declares the other one. If not, its name alone means all that
   *   it declares.
   * @param path the path that the row means, if it isn't the one that it names (an alias)
   */
  ofRow(
    use: {
      readonly layer: Layer;
      readonly row: number;
      readonly path?: string | undefined;
    },
    to: number,
    isDeclared: boolean,
  ): Reach;
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
}

const NOTHING: ReadonlySet<number> = new Set();

/** Opens the search for what references to other packages lead to. */
export function openModuleReach(world: ModuleReachWorld): ModuleReach {
  const { layers, layout, hasPrograms } = world;
  const modules = new LoadedModules(world);
  const known = new Map<number, Reach>();
  const ofEntries = (owner: number) => {
    if (known.has(owner)) return known.get(owner);
    const files = isLoadedByConvention(owner, layout)
      ? undefined
      : entriesOf(owner, { layers, layout });
    const reach = files && modules.of(owner, files);
    known.set(owner, reach);
    return reach;
  };
  return {
    ofRow({ layer, row, path }, to, isDeclared) {
      if (layer.isPartial(row)) return undefined;
      if (callsProgram(layer, row)) return ofEntries(to);
      const kind = layer.kind(row);
      const target = layer.target(row);
      const specifier = layer.table.specifierOf(row);
      const isPath = path !== undefined || target.kind === "path";
      if (!LOADS_MODULE.has(kind) && !(isPath && NAMES_FILE.has(kind)))
        return undefined;
      const name = packageNameOf(specifier);
      if (!isPath && name === specifier)
        return isDeclared ? ofEntries(to) : undefined;
      const meant = path ?? (target.kind === "path" ? target.path : undefined);
      const files =
        meant === undefined
          ? modules.filesBelow(specifier.slice(name.length + 1), to)
          : modules.filesAt(meant, to, kind);
      return files.length > 0 ? modules.of(to, files) : undefined;
    },
    ofUnnamed: (owner) =>
      hasOnlyPrograms(owner, { layers, layout }) ? ofEntries(owner) : undefined,
    ofPrograms: (owner) => (hasPrograms(owner) ? ofEntries(owner) : NOTHING),
  };
}

/** Returns the key of a pair of packages, by their numbers. */
export function pairOf(from: number, to: number, layout: Layout): number {
  return from * layout.workspaces.length + to;
}

/** Adds what one more reference of a pair of packages leads to. */
export function addReach(
  uses: Map<number, Set<number> | undefined>,
  pair: number,
  reach: Reach,
): void {
  const known = uses.get(pair);
  if (!reach || (uses.has(pair) && !known)) uses.set(pair, undefined);
  else if (known) for (const each of reach) known.add(each);
  else uses.set(pair, new Set(reach));
}

/** Returns the names of packages, sorted. */
export function namesOf(
  numbers: Iterable<number>,
  layout: Layout,
): readonly string[] {
  return Array.from(numbers, (number) => layout.nameOf(number)).sort();
}
