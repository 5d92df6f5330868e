import { remember } from "@skein/reporting/group-by";
import { TARGETLESS, dirOf, packageNameOf, pathFrom } from "../../resolve.js";
import type { ReferenceKind } from "../../reference.js";
import { MODULE_KINDS } from "../kinds.js";
import type { Layer } from "../layer.js";
import type { Layout } from "../layout.js";
import { PARTIAL } from "../table/table.js";
import {
  type Alias,
  type Aliases,
  aliasesFor,
  applyAlias,
  nameBehind,
  OF_ROOT,
  type Rerouted,
  type Scope,
  scopesOver,
} from "./aliases.js";
import { fileOf } from "./file-of.js";

/** Kinds that an alias doesn't concern: it applies to imports, not to what is installed or run. */
const NO_IMPORTS: ReadonlySet<ReferenceKind> = new Set<ReferenceKind>([
  ...TARGETLESS,
  "dependency",
  "linked-dependency",
  "script",
  "test-script",
]);

/** Files that a compiler takes at one target before it looks at the next one. */
const SOURCE = /\.[cm]?tsx?$/;

/** Returns the targets of imports that use aliases. */
export function rerouteByAliases(
  layers: readonly Layer[],
  layout: Layout,
  scopes: Aliases,
): readonly Rerouted[] {
  if (scopes.size === 0) return [];
  const holdingIn = openHoldings(scopes, layout);
  const world: TargetsWorld = {
    exists: (key) => SOURCE.test(fileOf(key, layers) ?? ""),
    isInstalled: (name) => layout.isInstalled(name),
    hasAny: (path) =>
      fileOf(path, layers) !== undefined ||
      fileOf(`${path}.d`, layers) !== undefined ||
      layers.some((layer) => layer.hasFileBelow(path)),
  };
  const rerouted: Rerouted[] = [];
  for (const layer of layers) {
    const { table } = layer;
    const { rowFile, rowInfo, fileNode, nodeParent } = table.columns;
    const holdingAt = remember((node: number) => holdingIn(table.nameOf(node)));
    for (let row = 0; row < table.rows; row++) {
      if (!layer.isPackage(row) || !layer.isLive(row)) continue;
      if (NO_IMPORTS.has(layer.kind(row))) continue;
      const holding = holdingAt(
        nodeParent[fileNode[rowFile[row] ?? 0] ?? 0] ?? 0,
      );
      if (!holding) continue;
      // The same words mean the same wherever the same aliases are valid.
      const words = table.specifierOf(row);
      const how = {
        isPartial: ((rowInfo[row] ?? 0) & PARTIAL) !== 0,
        isImport: MODULE_KINDS.has(layer.kind(row)),
      };
      for (const meant of keysIn(holding, words, how, world))
        rerouted.push({ layer, row, ...meant });
    }
  }
  return rerouted;
}

/** A target of words. */
type Meant = Pick<Rerouted, "key" | "begins">;

/** The aliases that are valid in a folder, and the targets of the words that were resolved so far. */
interface Holding {
  readonly scopes: readonly Scope[];
  readonly imported: Map<string, readonly Meant[]>;
  /** Of words that no compiler resolves. */
  readonly other: Map<string, readonly Meant[]>;
  readonly partial: Map<string, readonly Meant[]>;
}

/** @returns the aliases of a folder, shared by all folders below the same tsconfigs; undefined if there are none */
function openHoldings(
  scopes: Aliases,
  layout: Layout,
): (folder: string) => Holding | undefined {
  const ofRoot = scopes.get(OF_ROOT);
  const holding = (nearest: string, more: readonly Scope[]): Holding => ({
    scopes: [...scopesOver(nearest, scopes), ...more],
    imported: new Map(),
    other: new Map(),
    partial: new Map(),
  });
  const holdingOver = remember((nearest: string) => holding(nearest, []));
  const holdingInRoot = remember((nearest: string) =>
    holding(nearest, ofRoot ? [ofRoot] : []),
  );
  return (folder) => {
    const isInRoot = ofRoot !== undefined && layout.folderOf(folder) === "";
    let nearest = folder;
    while (!scopes.has(nearest)) {
      if (nearest === "") return isInRoot ? holdingInRoot("") : undefined;
      nearest = dirOf(nearest);
    }
    return (isInRoot ? holdingInRoot : holdingOver)(nearest);
  };
}

/** Facts about the targets of aliases. */
interface TargetsWorld {
  /** Whether a key is that of a source. */
  readonly exists: (key: string) => boolean;
  /** @see Layout.isInstalled */
  readonly isInstalled: (name: string) => boolean;
  /** Whether git has a file of this path without its ending, or a folder. */
  readonly hasAny: (path: string) => boolean;
}

/** How words name something. */
interface Naming {
  /** Only their beginning is known. */
  readonly isPartial: boolean;
  /** A compiler resolves them. */
  readonly isImport: boolean;
}

/**
 * Returns whether an alias with a `*`, such as `baseUrl`, doesn't concern a name: it is that of an installed package, or only a
 * word in settings, and nothing of this name is where the alias leads.
 */
function isOther(
  alias: Alias,
  name: string,
  { isPartial, isImport }: Naming,
  { isInstalled, hasAny }: TargetsWorld,
): boolean {
  const { before, target } = alias;
  if (isPartial || !target.includes("*") || !name.startsWith(before))
    return false;
  const mayBeOther = isInstalled(name) || (before === "" && !isImport);
  const [folder = ""] = target.split("*", 1);
  const place = pathFrom("", folder + name.slice(before.length), false);
  return mayBeOther && place !== undefined && !hasAny(place);
}

function keysIn(
  { scopes, imported, other, partial }: Holding,
  words: string,
  how: Naming,
  world: TargetsWorld,
): readonly Meant[] {
  const { isPartial, isImport } = how;
  const known = isPartial ? partial : isImport ? imported : other;
  let keys = known.get(words);
  if (!keys) {
    const name = packageNameOf(words);
    const targets = aliasesFor(name, scopes).flatMap((alias) => {
      if (isOther(alias, name, how, world)) return [];
      const key = applyAlias(alias, words, isPartial);
      const isTaken =
        !isPartial &&
        alias.earlier.some((target) =>
          world.exists(applyAlias({ ...alias, target }, words, false) ?? ""),
        );
      return key === undefined || isTaken ? [] : [{ alias, key }];
    });
    // The same target may begin at the folder of each tsconfig that extends the one with the alias.
    const isThere = targets.map(({ key }) => !isPartial && world.hasAny(key));
    const found = new Set(
      targets.flatMap(({ alias }, at) => (isThere[at] ? alias.row : [])),
    );
    keys = targets.flatMap(({ alias, key }, at) =>
      isThere[at] || !found.has(alias.row)
        ? { key, ...(isPartial && { begins: nameBehind(alias, words) }) }
        : [],
    );
    known.set(words, keys);
  }
  return keys;
}
