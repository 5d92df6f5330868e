import type { ReferenceKind } from "../../reference.js";
import {
  dirOf,
  foldersAbove,
  isWithin,
  keyOf,
  keysOf,
  mayEndWith,
  packageNameOf,
  pathFrom,
  plainSpecifier,
} from "../../resolve.js";
import type { Layer } from "../layer.js";
import type { Layout } from "../layout.js";
import { match, ofKind, type Match, type Row } from "./match.js";

/** A row that names a package: `@m/core/src/x`. */
interface Naming extends Row {
  /** The path that it means. */
  readonly key: string;
  /** The text behind the package's name. */
  readonly subpath: string;
}

/** The file in a folder that Jest's setting `preset` names. */
const JEST_PRESET = /\/jest-preset\.\w+$/;

/** Finds the rows that mean a path by the name of its package. */
export class PackageNamings {
  readonly #layers: readonly Layer[];
  readonly #layout: Layout;
  /** The rows that name a package, by its folder and their kind, if only this kind was asked for. */
  readonly #known = new Map<string, readonly Naming[]>();

  constructor(layers: readonly Layer[], layout: Layout) {
    this.#layers = layers;
    this.#layout = layout;
  }

  /**
   * Returns imports like `@m/core/src/x` that may mean a path: the path below the folder of the package of that name.
   * @param only rows of this kind
   */
  of(path: string, only?: ReferenceKind): Match[] {
    const keys = new Set(keysOf(path));
    const folders = new Set(foldersAbove(path));
    const matches: Match[] = [];
    for (const root of folders) {
      const number = this.#layout.byDir.get(root);
      if (number === undefined) continue;
      for (const { layer, row, key, subpath } of this.#rowsNaming(
        root,
        number,
        only,
      )) {
        // A preset that is named by its package only is a file at the top of the package.
        const isNamed =
          subpath === ""
            ? only === "extends" && dirOf(path) === root
            : keys.has(keyOf(key)) ||
              isBelow(keys, root, subpath) ||
              (JEST_PRESET.test(path) && dirOf(path) === key);
        const [beginning, suffix] = layer.namesIn(row, key);
        const byFolder =
          layer.isPartial(row) &&
          folders.has(key) &&
          path.startsWith(beginning) &&
          mayEndWith(path, suffix);
        if (byFolder || isNamed) matches.push(match(layer, row, byFolder));
      }
    }
    return matches;
  }

  /** Returns the rows that name a package, except complete names without a path if they can't mean a file. */
  #rowsNaming(
    root: string,
    number: number,
    only?: ReferenceKind,
  ): readonly Naming[] {
    const known = `${root}\0${only ?? ""}`;
    let namings = this.#known.get(known);
    if (namings) return namings;
    const name = this.#layout.nameOf(number);
    namings = this.#layers.flatMap((layer) =>
      ofKind(layer, layer.rowsOfPackage(name), only).flatMap((row) => {
        const specifier = plainSpecifier(layer.table.specifierOf(row));
        const subpath = specifier.slice(packageNameOf(specifier).length);
        const partial = layer.isPartial(row);
        if (subpath === "" && !partial && layer.kind(row) !== "extends")
          return [];
        const key = pathFrom(root, `.${subpath}`, partial);
        return key === undefined ? [] : [{ layer, row, key, subpath }];
      }),
    );
    this.#known.set(known, namings);
    return namings;
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
