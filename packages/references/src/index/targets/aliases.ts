import { remember } from "@skein/reporting/group-by";
import type { FoundReference } from "../../graph.js";
import type { ReferenceKind } from "../../reference.js";
import {
  dirOf,
  isWithin,
  keyOf,
  packageNameOf,
  pathFrom,
  unfinishedPart,
} from "../../resolve.js";
import type { Layer } from "../layer.js";
import { ALIASES, PACKAGES_NODE } from "../table/table.js";
import type { Row } from "./match.js";

/** One entry of a tsconfig's `paths`, or its `baseUrl`. */
export interface Alias {
  /** The parts before and after the `*`; without a `*`, `after` is undefined and the name must be equal. */
  readonly before: string;
  readonly after: string | undefined;
  /** From the project's root; `*` is replaced by the text that the pattern's `*` matched. */
  readonly target: string;
  /** The folders for whose files it is valid. */
  readonly scopes: readonly string[];
  /** The row that defines it. */
  readonly layer: Layer;
  readonly row: number;
  /** The targets before it in the same list of a tsconfig. A compiler takes the first one that exists. */
  readonly earlier: readonly string[];
}

const TSCONFIG = /(?:^|\/)[^/]*[tj]sconfig[^/]*\.json$/;
/** The folder of aliases that are valid only for the files that no package owns. No path contains this character. */
export const OF_ROOT = "\0";
const CONFIG_DIR = "${configDir}";

/** A row that has another meaning because of an alias or another folder. */
export interface Rerouted extends Row {
  /** The key of its target, in the form of `keysOf`. */
  readonly key: string;
  /** If the target is a folder: the beginning of the names in it that are meant. */
  readonly begins?: string;
}

/** The aliases of a project by the folder below which they are valid. */
export type Aliases = ReadonlyMap<string, Scope>;

/**
 * Returns the aliases of tsconfig `paths` and `baseUrl`, and of similar settings. An alias is valid for the files below its
 * tsconfig and below every tsconfig that extends it. `exclude` and similar fields are ignored, so it may be valid for too
 * many files.
 */
export function readAliases(
  layers: readonly Layer[],
  uses: TsconfigUses,
): Aliases {
  const scopes = new Map<string, Scope>();
  for (const alias of aliasesOf(layers, uses)) addTo(scopes, alias);
  return scopes;
}

/** The uses of tsconfigs. */
interface TsconfigUses {
  /** Returns the paths of the tsconfigs that extend this one. */
  readonly extendersOf: (tsconfig: string) => readonly string[];
  /** Returns whether no package uses a tsconfig. */
  readonly isOfRoot: (tsconfig: string) => boolean;
}

/** Kinds in which settings name the target of an alias besides. */
const TARGETS: ReadonlySet<ReferenceKind> = new Set<ReferenceKind>([
  "path-string",
  "root-guess",
  "config",
  "argument-path",
  "glob",
  "url",
]);

/**
 * Returns a function that returns the name for which a row of settings is only the target of an alias. If it is the name of a
 * workspace, or its scope, only packages that use that name use the target. Other names may be imported by compiled code and by
 * external packages.
 */
export function openAliasTargets(
  layers: readonly Layer[],
): (layer: Layer, row: number) => string | undefined {
  const names = new Map<string, string>();
  for (const layer of layers)
    for (const row of layer.rowsOfPackage(ALIASES)) {
      const { specifier, ...place } = layer.found(row);
      const [whole = "", target = ""] = specifier.split("=", 2);
      // The same path may begin behind `<rootDir>`, if it goes up, or behind `<rootDir>/` or `./`, as a path from the project's root.
      for (const before of target.startsWith("./") ? BEFORE : [0])
        names.set(placeOf(place, before, target), whole.replace(/\*.*/, ""));
    }
  return (layer, row) => {
    if (names.size === 0 || !TARGETS.has(layer.kind(row))) return undefined;
    const found = layer.found(row);
    return names.get(placeOf(found, 0, found.specifier));
  };
}

/** The numbers of characters before a path in a string of settings. */
const BEFORE = [0, "./".length, "<rootDir>".length, "<rootDir>/".length];

/** Returns a key of a path at a place, up to the part of the path that isn't known. */
function placeOf(
  { file, line, column }: Pick<FoundReference, "file" | "line" | "column">,
  before: number,
  path: string,
): string {
  const known = path.replace(/[*$].*/, "").replace(/^\.\//, "");
  return `${file}\0${line}\0${column + before}\0${known.replace(/\/$/, "")}`;
}

/**
 * Returns whether an alias is for a workspace.
 * @param name complete, or ends with a slash if something follows it
 */
export function isNameOf(name: string, workspace: string): boolean {
  return (
    name === workspace ||
    name.startsWith(`${workspace}/`) ||
    (/^@[^/]+\/$/.test(name) && workspace.startsWith(name))
  );
}

/**
 * Returns the targets to which aliases that are valid anywhere in a package lead the imports of a name, also those in
 * external packages. Each target comes with the row that defines the alias.
 * @param dir the package's folder
 */
export function targetsOfName(
  aliases: Aliases,
  dir: string,
  name: string,
): readonly Rerouted[] {
  const scopes = [...aliases].flatMap(([folder, scope]) =>
    (folder === OF_ROOT ? dir === "" : isOnWay(folder, dir)) ? [scope] : [],
  );
  return aliasesFor(name, scopes).flatMap((alias) =>
    [name, `${name}/`].flatMap((words) => {
      const key = applyAlias(alias, words, words !== name);
      return key === undefined
        ? []
        : [{ layer: alias.layer, row: alias.row, key }];
    }),
  );
}

function isOnWay(folder: string, dir: string): boolean {
  return isWithin(folder, dir) || isWithin(dir, folder);
}

/** Returns the aliases that may match a package's name. */
export function aliasesFor(
  name: string,
  holding: readonly Scope[],
): readonly Alias[] {
  const aliases = new Set<Alias>();
  for (const { named, generic } of holding) {
    for (const alias of named.get(name) ?? []) aliases.add(alias);
    for (const alias of generic)
      if (name.startsWith(alias.before) || alias.before.startsWith(name))
        aliases.add(alias);
  }
  return [...aliases];
}

/** The aliases that are valid below one folder. */
export interface Scope {
  /** By the package name at their beginning. */
  readonly named: Map<string, Alias[]>;
  /** Those that may match any name. */
  readonly generic: Alias[];
}

function addTo(scopes: Map<string, Scope>, alias: Alias): void {
  const name = packageNameOf(alias.before);
  const isWhole =
    alias.after === undefined || name.length < alias.before.length;
  for (const dir of alias.scopes) {
    const scope: Scope = scopes.get(dir) ?? { named: new Map(), generic: [] };
    scopes.set(dir, scope);
    if (!isWhole) scope.generic.push(alias);
    else scope.named.set(name, [...(scope.named.get(name) ?? []), alias]);
  }
}

/** Returns the aliases that are valid in a folder. */
export function scopesOver(folder: string, scopes: Aliases): readonly Scope[] {
  const found: Scope[] = [];
  for (let dir = folder; ; dir = dirOf(dir)) {
    const scope = scopes.get(dir);
    if (scope) found.push(scope);
    if (dir === "") return found;
  }
}

/** Returns the key to which an alias leads words; undefined if it doesn't match them. */
export function applyAlias(
  { before, after, target }: Alias,
  specifier: string,
  partial: boolean,
): string | undefined {
  if (after === undefined)
    return specifier === before ? keyOf(target) : undefined;
  if (!specifier.startsWith(before) || !(partial || specifier.endsWith(after)))
    return undefined;
  const middle = specifier.slice(
    before.length,
    partial ? undefined : specifier.length - after.length,
  );
  const key = pathFrom(
    "",
    target.replace("*", () => middle),
    partial,
  );
  return key === undefined ? undefined : keyOf(key);
}

/** Returns the beginning of the names in a folder to which an alias leads words whose end isn't known; empty for any name. */
export function nameBehind({ before, target }: Alias, words: string): string {
  return target.endsWith("*")
    ? unfinishedPart(target.slice(0, -1) + words.slice(before.length))
    : "";
}

function* aliasesOf(
  layers: readonly Layer[],
  uses: TsconfigUses,
): Iterable<Alias> {
  const scopesOf = remember((file: string) => scopesBelow(file, uses));
  /** The targets of each list so far, by its file, its name and the folder at which it begins. */
  const lists = new Map<string, string[]>();
  for (const layer of layers) {
    const node = layer.table.child(PACKAGES_NODE, ALIASES);
    for (const row of layer.table.rowsAt(node)) {
      if (!layer.isLive(row)) continue;
      const file = layer.file(row);
      const { specifier } = layer.table.referenceOf(row);
      const equals = specifier.indexOf("=");
      const [before = "", after] = specifier.slice(0, equals).split("*");
      const scopes = scopesOf(file);
      const text = specifier.slice(equals + 1);
      // The template means the folder of the tsconfig that extends this one.
      const isEach = text.startsWith(CONFIG_DIR);
      // So does Jest's `<rootDir>`, usually; so does a path that leaves the project, if a tsconfig that extends this one sets
      // `baseUrl`.
      const mayBeEach =
        isEach ||
        text.startsWith("./../") ||
        pathFrom(dirOf(file), text, false)?.startsWith("../") === true;
      for (const [dir, held] of [
        ...(isEach
          ? []
          : [[dirOf(file), scopes.map(({ scope }) => scope)] as const]),
        ...(mayBeEach
          ? scopes.map(({ dir, scope }) => [dir, [scope]] as const)
          : []),
      ]) {
        const path = isEach ? `.${text.slice(CONFIG_DIR.length)}` : text;
        const target = pathFrom(dir, path, false);
        if (target === undefined) continue;
        // `baseUrl` has the name `*`, too, and counts after all lists.
        const isInList = TSCONFIG.test(file) && before !== "";
        const key = `${file}\0${before}*${after ?? ""}\0${dir}\0${held.length}`;
        const targets = lists.get(key) ?? [];
        const earlier = isInList ? [...targets] : [];
        lists.set(key, [...targets, target]);
        yield { before, after, target, earlier, scopes: held, layer, row };
      }
    }
  }
}

/** Returns the folders of a tsconfig and of those that extend it, and the folders below which their aliases are valid. */
function scopesBelow(
  tsconfig: string,
  { extendersOf, isOfRoot }: TsconfigUses,
): readonly { readonly dir: string; readonly scope: string }[] {
  const seen = new Set([tsconfig]);
  for (const file of seen)
    for (const extender of extendersOf(file)) seen.add(extender);
  const dirs = new Map<string, string>();
  for (const file of seen) {
    const dir = dirOf(file);
    dirs.set(isOfRoot(file) ? OF_ROOT : dir, dir);
  }
  return Array.from(dirs, ([scope, dir]) => ({ dir, scope }));
}
