import type { Layout } from "../layout.js";
import type { AsideNames, AsideUser, FoundReference } from "../../graph.js";
import type { ReferenceKind } from "../../reference.js";
import type { Match } from "../targets/match.js";

/** The inputs of the search for asides. */
export interface AsideWorld {
  readonly layout: Layout;
  readonly names: AsideNames;
  /** Returns the rows that load this file. */
  readonly loadersOf: (path: string) => readonly Match[];
  /** Whether no entry point of its package leads to a source. */
  readonly isUnreached: (path: string) => boolean;
  /**
   * Whether a file of the root, which only the root reads, names a page or a test of a package (by its number), or has an
   * open end into several packages.
   */
  readonly isIdleInRoot: (
    path: string,
    owner: number,
    loader: Match,
  ) => boolean;
  /** Whether one package is known to use the other, by their numbers. */
  readonly isEdge: (from: number, to: number) => boolean;
}

/** Files that matter only to the tests and pages of a package. */
export interface Asides {
  readonly isAside: (path: string) => boolean;
  /** A symlink counts as its target. @see ReferenceGraph.isApart */
  readonly isApart: (file: string, kind: ReferenceKind) => boolean;
  /** @see ReferenceGraph.usersElsewhere */
  readonly usersElsewhere: (path: string) => readonly AsideUser[];
  /** @param path the target of the reference */
  readonly isAsideUse: (reference: FoundReference, path: string) => boolean;
}

/**
 * Finds asides. An aside is a test or a page by its name, and everything that loads it is an aside of the same package, in
 * another package, or a file that only the root reads, which lists or runs it. Files that load each other in a cycle are
 * asides if nothing else loads one of them.
 */
export function openAsides({
  layout,
  names,
  loadersOf,
  isUnreached,
  isIdleInRoot,
  isEdge,
}: AsideWorld): Asides {
  const known = new Map<string, boolean>();
  const isNamed = (path: string) => {
    const name = layout.withinOwner(path);
    return names.isTest(name) || names.isPage(name);
  };
  /** Returns whether a row is in another package than the one with this number, and isn't in a file of the root. */
  const isElsewhere = (owner: number, loader: Match) =>
    owner !== layout.root && !isOf(owner, loader) && !isOf(layout.root, loader);

  function isAside(path: string): boolean {
    const answer = known.get(path);
    if (answer !== undefined) return answer;
    const owner = layout.ownerOf(path);
    const loading = new Set([path]);
    for (const file of loading) {
      const loaders = isNamed(file) ? loadersOf(file) : [];
      const own = loaders.filter((loader) => isOf(owner, loader));
      const isMere =
        isNamed(file) &&
        known.get(file) !== false &&
        loaders.every(
          (one) =>
            own.includes(one) ||
            isElsewhere(owner, one) ||
            (isOf(layout.root, one) && isIdleInRoot(file, owner, one)),
        );
      if (!isMere) {
        known.set(path, false);
        return false;
      }
      for (const { reference } of own) loading.add(reference.file);
    }
    for (const file of loading) known.set(file, true);
    return true;
  }

  function isApart(file: string, kind: ReferenceKind): boolean {
    return (
      kind === "editor-plugin" ||
      isAside(file) ||
      (kind !== "symlink" && isUnreached(file))
    );
  }

  /** Returns whether a reference is an open end into several packages, in a source that no entry point leads to. */
  function isIdle(reference: FoundReference): boolean {
    return isOpenEnd(reference, layout) && isUnreached(reference.file);
  }

  return {
    isAside,
    usersElsewhere: (path) =>
      isAside(path)
        ? findUsersElsewhere(path, {
            layout,
            loadersOf,
            isEdge,
            isAside,
            isIdle,
          })
        : [],
    isApart,
    isAsideUse: (reference, path) =>
      isAside(reference.file) ||
      isIdle(reference) ||
      (reference.kind === "tsconfig-include" &&
        layout.ownerOf(path) === layout.root &&
        names.isTest(path)),
  };
}

/** Returns whether a reference shows only the beginning of a path, and several packages are below that. */
export function isOpenEnd(
  { partial, target }: FoundReference,
  layout: Layout,
): boolean {
  return (
    partial && target.kind === "path" && layout.holdsWorkspaces(target.path)
  );
}

type AsideUsersWorld = Pick<AsideWorld, "layout" | "loadersOf" | "isEdge"> &
  Pick<Asides, "isAside"> & {
    readonly isIdle: (reference: FoundReference) => boolean;
  };

/** Returns whether a row is in a file of the package with this number. */
function isOf(owner: number, { layer, row }: Match): boolean {
  return layer.from(row) === owner;
}

/** Finds the packages that use an aside, or another aside that loads it. */
function findUsersElsewhere(
  path: string,
  { layout, loadersOf, isEdge, isAside, isIdle }: AsideUsersWorld,
): readonly AsideUser[] {
  const users = new Map<string, AsideUser>();
  const asides = new Map<string, readonly FoundReference[]>([[path, []]]);
  for (const [aside, chain] of asides) {
    const owner = layout.ownerOf(aside);
    for (const loader of loadersOf(aside)) {
      const { layer, row, reference } = loader;
      // If a guessed folder makes no package depend on this one, files beside its sources don't count either.
      if (!isOf(owner, loader) && !isEdge(layer.from(row), owner)) continue;
      const via = [reference, ...chain] as const;
      const isOwn = isOf(owner, loader);
      const testOnly =
        isOwn ||
        (!layer.isUnparsed(row) &&
          (isAside(reference.file) || isIdle(reference)));
      if (testOnly && !asides.has(reference.file))
        asides.set(reference.file, via);
      if (!isOwn && users.get(reference.from)?.testOnly !== false)
        users.set(reference.from, { via, testOnly });
    }
  }
  return [...users.values()];
}
