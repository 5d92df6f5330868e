import type { Layout } from "./layout.js";
import type { FoundReference, TestUser } from "../graph.js";
import type { Match } from "./matches.js";

/** Who asks, and what is known. */
export interface TestWorld {
  readonly layout: Layout;
  /** @param path from the folder of the package that owns the file */
  readonly isTest: (path: string) => boolean;
  /** What loads this file. */
  readonly loadersOf: (path: string) => readonly Match[];
  /** Whether one package is known to use the other, by their numbers. */
  readonly isEdge: (from: number, to: number) => boolean;
}

/** What matters to the tests of a package alone. */
export interface MereTests {
  readonly isMereTest: (path: string) => boolean;
  /** @see ReferenceGraph.usersElsewhere */
  readonly usersElsewhere: (path: string) => readonly TestUser[];
  /** @param path what the reference means */
  readonly isTestUse: (reference: FoundReference, path: string) => boolean;
}

/**
 * A mere test is a test by its name, and whatever loads it is a mere test of the same package, or a package that takes up
 * the folder it is in. Tests that load each other in a circle are mere tests if nothing else loads one of them.
 */
export function openMereTests({
  layout,
  isTest,
  loadersOf,
  isEdge,
}: TestWorld): MereTests {
  const known = new Map<string, boolean>();
  const isNamed = (path: string) => {
    const folder = layout.folderOf(path);
    return isTest(folder === "" ? path : path.slice(folder.length + 1));
  };
  const isOf = (owner: number, { reference }: Match) =>
    layout.ownerOf(reference.file) === owner;
  const takesFolder = (owner: number, loader: Match) =>
    loader.byFolder && owner !== layout.root && !isOf(layout.root, loader);

  function isMereTest(path: string): boolean {
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
        loaders.every((one) => own.includes(one) || takesFolder(owner, one));
      if (!isMere) {
        known.set(path, false);
        return false;
      }
      for (const { reference } of own) loading.add(reference.file);
    }
    for (const file of loading) known.set(file, true);
    return true;
  }

  function usersElsewhere(path: string): readonly TestUser[] {
    if (!isMereTest(path)) return [];
    const users = new Map<string, TestUser>();
    const tests = new Map<string, readonly FoundReference[]>([[path, []]]);
    for (const [test, chain] of tests) {
      const owner = layout.ownerOf(test);
      for (const loader of loadersOf(test)) {
        const { layer, row, reference } = loader;
        // A guess at a folder that makes nobody depend on the package does not make its tests matter.
        if (!isOf(owner, loader) && !isEdge(layer.from(row), owner)) continue;
        const via = [reference, ...chain] as const;
        const isOwn = isOf(owner, loader);
        const testOnly =
          isOwn || (!layer.isUnparsed(row) && isMereTest(reference.file));
        if (testOnly && !tests.has(reference.file))
          tests.set(reference.file, via);
        if (!isOwn && users.get(reference.from)?.testOnly !== false)
          users.set(reference.from, { via, testOnly });
      }
    }
    return [...users.values()];
  }

  return {
    isMereTest,
    usersElsewhere,
    isTestUse: ({ file, kind }, path) =>
      isMereTest(file) ||
      (kind === "tsconfig-include" &&
        layout.ownerOf(path) === layout.root &&
        isNamed(path)),
  };
}
