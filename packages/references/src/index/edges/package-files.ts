import { takesEffectUnread } from "@skein/known-tools";
import { groupBy, remember } from "@skein/reporting/group-by";
import type { ReferenceKind } from "../../reference.js";
import { below, dirOf, isWithin, keyOf, keysOf } from "../../resolve.js";
import { KIND_TRAITS } from "../kinds.js";
import type { Layer } from "../layer.js";
import type { Layout } from "../layout.js";

/** Modules of JavaScript and TypeScript. */
export const MODULE = /\.[cm]?[jt]sx?$/;
/** Folders that usually contain what a build makes, although git may hold some of it. */
export const OUTPUTS =
  /\/(?:dist|build|built|libs?|out|outputs?|esm?|cjs|umd|types|typings|_*gen(?:erated)?_*|target|bin|coverage|public|release)(?:\/|$)/;
/** A folder with more files than this counts as the whole package, since the search through it takes too long. */
const LARGE = 500;

/** The files of each package, by its number. */
export class PackageFiles {
  readonly #layers: readonly Layer[];
  readonly #layout: Layout;
  /** The files of a package by each key with which a reference may mean them. */
  readonly #keysOf = remember((owner: number) => filesByKey(this.of(owner)));
  /** The answers of `behindName`, by the package and the path. */
  readonly #behind = new Map<string, readonly string[]>();
  #byOwner: ReadonlyMap<number, readonly string[]> | undefined;

  constructor({
    layers,
    layout,
  }: {
    readonly layers: readonly Layer[];
    readonly layout: Layout;
  }) {
    this.#layers = layers;
    this.#layout = layout;
  }

  /** Returns the files of a package. */
  of(owner: number): readonly string[] {
    this.#byOwner ??= groupBy(
      this.#layers.flatMap((layer) => [...layer.files()]),
      (file) => this.#layout.ownerOf(file),
    );
    return this.#byOwner.get(owner) ?? [];
  }

  /** Returns the files of a package that a path may mean; none if it may mean a folder. */
  at(path: string, owner: number, kind: ReferenceKind): readonly string[] {
    const files = this.#keysOf(owner).get(keyOf(path)) ?? [];
    const exact = files.filter((file) => file === path);
    // `x.js` may mean the `x.ts` beside it.
    if (exact.length > 0 && !MODULE.test(path)) return exact;
    return KIND_TRAITS[kind].takesFolders &&
      files.some((file) => dirOf(file) === path)
      ? []
      : files;
  }

  /**
   * Returns the files of a package that a path behind its name may mean: `exports` can insert folders, or map the path to
   * another file of the same name.
   */
  behindName(path: string, owner: number): readonly string[] {
    const key = keyOf(path);
    const dir = this.#layout.dirOf(owner);
    const byKey = this.#keysOf(owner);
    if (!byKey.has(below(dir, key))) return [];
    const asked = `${owner} ${key}`;
    let files = this.#behind.get(asked);
    if (!files) {
      files = Array.from(byKey, ([each, those]) =>
        each === below(dir, key) || each.endsWith(`/${key}`) ? those : [],
      ).flat();
      this.#behind.set(asked, files);
    }
    return files;
  }

  /** Returns the files in a folder inside a package; undefined if these may not be all that a program finds there. */
  inFolder(folder: string, owner: number): readonly string[] | undefined {
    const dir = this.#layout.dirOf(owner);
    if (folder === dir || !isWithin(folder, dir)) return undefined;
    if (OUTPUTS.test(folder.slice(dir.length))) return undefined;
    const start = `${folder}/`;
    const inside = this.of(owner).filter((file) => file.startsWith(start));
    const isKnown =
      inside.length > 0 &&
      inside.length <= LARGE &&
      // A program that starts in this folder may find settings there, which lead to any file.
      inside.every(
        (file) => !takesEffectUnread(file) || /\.d\.[cm]?ts$/.test(file),
      );
    return isKnown ? inside : undefined;
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
