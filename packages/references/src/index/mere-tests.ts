import type { Layout } from "./layout.js";
import type { FoundReference } from "../graph.js";

/** Who asks, and what is known. */
export interface TestWorld {
  readonly layout: Layout;
  /** @param path from the folder of the package that owns the file */
  readonly isTest: (path: string) => boolean;
  /** Files that load this one. */
  readonly loadersOf: (path: string) => readonly string[];
}

/** What matters to the tests of a package alone. */
export interface MereTests {
  readonly isMereTest: (path: string) => boolean;
  /** @param path what the reference means */
  readonly isTestUse: (reference: FoundReference, path: string) => boolean;
}

/**
 * A mere test is a test by its name, and whatever loads it is a mere test of the same package. Tests that load each other
 * in a circle are mere tests if nothing else loads one of them.
 */
export function openMereTests({
  layout,
  isTest,
  loadersOf,
}: TestWorld): MereTests {
  const known = new Map<string, boolean>();
  const isNamed = (path: string) => {
    const folder = layout.folderOf(path);
    return isTest(folder === "" ? path : path.slice(folder.length + 1));
  };

  function isMereTest(path: string): boolean {
    const answer = known.get(path);
    if (answer !== undefined) return answer;
    const owner = layout.ownerOf(path);
    const loading = new Set([path]);
    for (const file of loading) {
      const isMere = layout.ownerOf(file) === owner && isNamed(file);
      if (!isMere || known.get(file) === false) {
        known.set(path, false);
        return false;
      }
      if (known.get(file) !== true)
        for (const loader of loadersOf(file)) loading.add(loader);
    }
    for (const file of loading) known.set(file, true);
    return true;
  }

  return {
    isMereTest,
    isTestUse: ({ file, kind }, path) =>
      isMereTest(file) ||
      (kind === "tsconfig-include" &&
        layout.ownerOf(path) === layout.root &&
        isNamed(path)),
  };
}
