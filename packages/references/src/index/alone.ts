import type { ReferenceKind } from "../reference.js";
import { below, packageNameOf } from "../resolve.js";
import { fileOf } from "./file-of.js";
import type { Layer } from "./layer.js";
import type { Layout } from "./layout.js";
import type { Matches } from "./matches.js";

/** Kinds that load one module, and what that module loads, but nothing else. */
const LOADS_MODULE: ReadonlySet<ReferenceKind> = new Set<ReferenceKind>([
  "import",
  "export",
  "dynamic-import",
  "require",
  "type",
  "mock",
]);
/** Guesses that have no meaning if git has no such file. */
const GUESSES: ReadonlySet<ReferenceKind> = new Set<ReferenceKind>([
  "root-guess",
  "near-guess",
  "own-guess",
]);
const MODULE = /\.[cm]?[jt]sx?$/;
/** Settings with which other packages compile a module, wherever it is in its package. */
const COMPILED_BY = [
  "tsconfig.json",
  "jsconfig.json",
  ".babelrc",
  ".babelrc.json",
  ".babelrc.js",
  "babel.config.js",
  "babel.config.json",
  ".swcrc",
];

/**
 * Finds the modules that use nothing from other packages.
 * @returns whether a row loads a module of another package which, with all that it loads, stays in its package. The package
 *   that loads it depends on that package's own files only, and not on the dependencies of that package.
 */
export function openAlone(
  layers: readonly Layer[],
  layout: Layout,
  matches: Matches,
): (layer: Layer, row: number, path?: string) => boolean {
  const known = new Map<string, boolean>();
  let rerouted: ReadonlyMap<Layer, ReadonlySet<number>> | undefined;

  return (layer, row, path) => {
    if (layer.isPartial(row) || !LOADS_MODULE.has(layer.kind(row)))
      return false;
    const meant = path ?? pathIn(layer, row);
    const file = meant === "" ? undefined : fileOf(meant, layers);
    if (file === undefined || !MODULE.test(file)) return false;
    let is = known.get(file);
    if (is === undefined) known.set(file, (is = isAlone(file)));
    return is;
  };

  /** Returns the path that a row means. For a package's name, that is the path below its folder; empty for the name alone. */
  function pathIn(layer: Layer, row: number): string {
    const { target, specifier } = layer.found(row);
    if (target.kind === "path") return target.path;
    const name = packageNameOf(specifier);
    const dir = layout.dirOf(layout.byName.get(name) ?? -1);
    return name === specifier ? "" : `${dir}${specifier.slice(name.length)}`;
  }

  function isAlone(start: string): boolean {
    const owner = layout.ownerOf(start);
    const dir = layout.dirOf(owner);
    const files = new Set([
      start,
      ...COMPILED_BY.map((name) => below(dir, name)),
    ]);
    for (const file of files)
      for (const layer of layers)
        for (const row of layer.rowsIn(file)) {
          if (layer.isUnparsed(row) || isRerouted(layer, row)) return false;
          const next = within(layer, row, owner);
          if (next === false) return false;
          if (next !== undefined) files.add(next);
        }
    return true;
  }

  /**
   * @returns the file of the same package that a row leads to; undefined if it is outside the project, false for anything
   *   else
   */
  function within(
    layer: Layer,
    row: number,
    owner: number,
  ): string | false | undefined {
    const to = layer.to(row);
    if (layer.isPackage(row))
      return to < 0 && !layer.isPartial(row) ? undefined : false;
    const kind = layer.kind(row);
    if (kind === "tsconfig-include") return undefined;
    if (layer.isPartial(row)) return false;
    const { target } = layer.found(row);
    const file =
      target.kind === "path" ? fileOf(target.path, layers) : undefined;
    if (to === owner) return file ?? (GUESSES.has(kind) ? undefined : false);
    // A file that no package owns affects the package that names it when it changes.
    const isSettings = !MODULE.test(layer.file(row));
    return to === layout.root &&
      (isSettings || (file === undefined && GUESSES.has(kind)))
      ? undefined
      : false;
  }

  function isRerouted(layer: Layer, row: number): boolean {
    if (!rerouted) {
      const rows = new Map<Layer, Set<number>>();
      for (const each of [...matches.rerouted().values()].flat())
        rows.set(each.layer, (rows.get(each.layer) ?? new Set()).add(each.row));
      rerouted = rows;
    }
    return rerouted.get(layer)?.has(row) ?? false;
  }
}
