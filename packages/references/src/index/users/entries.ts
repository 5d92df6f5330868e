import { LOADED_BY_CONVENTION } from "@skein/known-tools";
import { addTo, remember } from "@skein/reporting/group-by";
import { MODULE_KINDS } from "../kinds.js";
import type { ReferenceKind } from "../../reference.js";
import { below, keyOf, packageNameOf } from "../../resolve.js";
import { fileOf } from "../targets/file-of.js";
import type { Layer } from "../layer.js";
import type { Layout } from "../layout.js";
import type { Matches } from "../targets/matches.js";
import type { RowWithPath } from "../targets/match.js";

/** Entry points whose references are known. A shell script, or the settings of a framework, may load anything. */
const READABLE =
  /^(?!.*\.(?:config|conf)\.[cm]?[jt]sx?$).*\.(?:[cm]?[jt]sx?|json|css|s[ac]ss|less)$/;
/** Kinds with which a package's name means its entry points, and those with which manifests declare it. */
const BY_ENTRIES: ReadonlySet<ReferenceKind> = new Set<ReferenceKind>([
  ...MODULE_KINDS,
  "dependency",
  "linked-dependency",
  "script-name",
  "script-call",
  "script-text",
]);
/** Files that describe where a package is and what it contains. */
const DESCRIBES = /(?:^|\/)(?:package|[tj]sconfig[^/]*)\.json$/;

/** The inputs of the search for entry points. */
export interface EntriesWorld {
  readonly layers: readonly Layer[];
  readonly layout: Layout;
  readonly matches: Matches;
  /** Whether a row in a file of the root concerns packages other than the one with this number. */
  readonly isReadAt: (layer: Layer, row: number, owner: number) => boolean;
}

/** The ways into packages, by their numbers. */
export interface Entries {
  /**
   * Whether all ways into a package are known files of it. If so, files that none of them leads to don't matter to other packages.
   */
  readonly areKnown: (owner: number) => boolean;
  /**
   * Whether a tsconfig of another package refers to the package. A compiler then reads the files that the package's tsconfig
   * includes, too.
   */
  readonly isCompiled: (owner: number) => boolean;
}

/** Opens the entry points of packages. */
export function openEntries({
  layers,
  layout,
  matches,
  isReadAt,
}: EntriesWorld): Entries {
  let into: ReadonlyMap<number, readonly RowWithPath[]> | undefined;
  const usesOf = (owner: number): readonly RowWithPath[] =>
    (into ??= usesOfOthers()).get(owner) ?? [];
  return {
    areKnown: remember(
      (owner) =>
        owner >= 0 &&
        owner !== layout.root &&
        !isLoadedByConvention(owner, layout) &&
        entriesOf(owner, { layers, layout }) !== undefined &&
        usesAreEntries(owner),
    ),
    isCompiled: remember((owner) =>
      usesOf(owner).some(
        ({ layer, row }) => layer.kind(row) === "tsconfig-reference",
      ),
    ),
  };

  /** Returns whether everything that others use of a package is an entry point or another file of it that they name. */
  function usesAreEntries(owner: number): boolean {
    return usesOf(owner).every(({ layer, row, path }) => {
      if (layer.from(row) === layout.root && !isReadAt(layer, row, owner))
        return true;
      if (path !== undefined)
        return (
          layer.isPartial(row) ||
          isNamedFile(path, layers) ||
          callsProgram(layer, row)
        );
      const target = layer.target(row);
      if (layer.kind(row) === "tsconfig-reference" && target.kind === "path")
        return listsFiles(target.path, layers);
      if (layer.isPartial(row)) return target.kind === "path";
      if (target.kind === "path")
        return (
          isNamedFile(target.path, layers) ||
          (layer.kind(row) === "root-guess" &&
            !isOutput(target.path, layout.dirOf(owner), layers))
        );
      const specifier = layer.table.specifierOf(row);
      const name = packageNameOf(specifier);
      return name === specifier
        ? BY_ENTRIES.has(layer.kind(row))
        : isNamedFile(
            `${layout.dirOf(owner)}${specifier.slice(name.length)}`,
            layers,
          );
    });
  }

  function usesOfOthers(): ReadonlyMap<number, readonly RowWithPath[]> {
    const uses = new Map<number, RowWithPath[]>();
    const add = (to: number, use: RowWithPath) => {
      addTo(uses, to, use);
    };
    for (const layer of layers)
      for (const row of layer.leavingRows()) {
        const to = layer.to(row);
        const from = layer.from(row);
        if (to < 0 || from < 0 || from === to || to === layout.root) continue;
        if (!layer.isLive(row) || layer.isOwnGuess(row) || layer.isNoUse(row))
          continue;
        if (layer.isFromPackage(row)) continue;
        add(to, { layer, row });
      }
    for (const [path, rows] of matches.rerouted())
      for (const { layer, row } of rows) {
        const to = layout.ownerOf(path);
        if (to >= 0 && to !== layout.root && layer.from(row) !== to)
          add(to, { layer, row, path });
      }
    return uses;
  }
}

/** Returns whether a tsconfig, or the one in a folder, lists the files that it includes. */
function listsFiles(path: string, layers: readonly Layer[]): boolean {
  const file = path.endsWith(".json") ? path : below(path, "tsconfig.json");
  return layers.some((layer) =>
    layer.rowsIn(file).some((row) => layer.kind(row) === "tsconfig-include"),
  );
}

/** Returns whether a row runs a program that a package provides, which is an entry point. */
export function callsProgram(layer: Layer, row: number): boolean {
  return (
    layer.kind(row) === "script-call" &&
    layer.table.specifierOf(row).startsWith("bin ")
  );
}

/** Returns whether frameworks load files of a package without a reference to them. */
export function isLoadedByConvention(owner: number, layout: Layout): boolean {
  const { name = "", declared = [] } = layout.workspaces[owner] ?? {};
  return [name, ...declared].some((each) => LOADED_BY_CONVENTION.test(each));
}

/** Returns whether a package has programs, and no other entry point. */
export function hasOnlyPrograms(
  owner: number,
  { layers, layout }: Pick<EntriesWorld, "layers" | "layout">,
): boolean {
  const dir = layout.dirOf(owner);
  const manifest = below(dir, "package.json");
  const entries = layers.flatMap((layer) => layer.entriesIn(manifest));
  const programs = layers.flatMap((layer) =>
    layer
      .rowsIn(manifest)
      .filter((row) => layer.table.specifierOf(row).startsWith("bin ")),
  );
  return (
    entries.length > 0 &&
    entries.length === programs.length &&
    fileOf(below(dir, "index"), layers) === undefined
  );
}

/** Returns whether a package's manifest can map a path behind the package's name to a file that has another name. */
export function mapsPaths(
  owner: number,
  { matches, layout }: Pick<EntriesWorld, "matches" | "layout">,
): boolean {
  return matches.mapsPaths(below(layout.dirOf(owner), "package.json"));
}

/**
 * Returns the entry points that a package's manifest names, and its index.
 * @returns undefined if one of them isn't a file in git whose references are known
 */
export function entriesOf(
  owner: number,
  { layers, layout }: Pick<EntriesWorld, "layers" | "layout">,
): readonly string[] | undefined {
  const dir = layout.dirOf(owner);
  const named = layers.flatMap((layer) =>
    layer.entriesIn(below(dir, "package.json")).map((row) => {
      const target = layer.target(row);
      return !layer.isPartial(row) && target.kind === "path"
        ? target.path
        : undefined;
    }),
  );
  const index = fileOf(below(dir, "index"), layers);
  // A manifest may name only programs, or only types.
  const files = index === undefined ? [] : [index];
  if (files.length + named.length === 0) return undefined;
  for (const path of named) {
    const file = path === undefined ? undefined : sourceOf(path, layers);
    if (file === undefined || !READABLE.test(file)) return undefined;
    files.push(file);
  }
  return files;
}

/**
 * Returns the file of an entry point. If git has no `x.d.ts` or `x.js`, a compiler makes it from a source of the same name beside
 * it, so it leads to the same files.
 */
function sourceOf(path: string, layers: readonly Layer[]): string | undefined {
  const file = fileOf(path, layers);
  if (file !== undefined) return file;
  const source = fileOf(keyOf(path).replace(/\.d$/, ""), layers);
  return source !== undefined && /\.[cm]?[jt]sx?$/.test(source)
    ? source
    : undefined;
}

/** Returns whether a path is in a folder below its package's folder `dir` from which git tracks nothing. */
function isOutput(
  path: string,
  dir: string,
  layers: readonly Layer[],
): boolean {
  const [folder, ...rest] = path.slice(dir.length + 1).split("/");
  return (
    folder === undefined ||
    (rest.length > 0 &&
      !layers.some((layer) => layer.hasFileBelow(below(dir, folder))))
  );
}

/** Returns whether a path is a file of git that doesn't describe its package. */
function isNamedFile(path: string, layers: readonly Layer[]): boolean {
  const file = fileOf(path, layers);
  return file !== undefined && !DESCRIBES.test(file);
}
