import { relative, sep } from "node:path";

/** A test file that a program has found. */
export interface TestFile {
  /** The absolute path. */
  readonly path: string;
}

/** The selection of a program's test files. */
export interface Choice {
  /** The package's folder, absolute, with links resolved. */
  readonly folder: string;
  /** The files of each shard, relative to the package's folder. */
  readonly shards: readonly (readonly string[])[];
  /** The index of the shard to run, from 0. */
  readonly mine: number;
  /**
   * Whether to run only the files that the shard names. Otherwise files in no shard are distributed over all shards.
   */
  readonly only: boolean;
}

/**
 * Returns the tests of one shard: those in files that it names, and a part of those that no shard names. Pure. All
 * shards see the same list, so each file runs in exactly one of them. A file that is there several times, for several
 * projects, is chosen as a whole.
 */
export function chooseTests<T extends TestFile>(
  tests: readonly T[],
  { folder, shards, mine, only }: Choice,
): readonly T[] {
  const shardOf = new Map(
    shards.flatMap((files, index) => files.map((file) => [file, index])),
  );
  const unnamed = [...new Set(tests.map(({ path }) => path))]
    .filter((path) => !shardOf.has(within(folder, path)))
    .sort();
  const dealt = new Map(
    unnamed.map((path, index) => [path, index % shards.length]),
  );
  return tests.filter(({ path }) => {
    const named = shardOf.get(within(folder, path));
    if (named !== undefined) return named === mine;
    return !only && dealt.get(path) === mine;
  });
}

/** Returns a path relative to a package's folder, with `/` between its parts. */
export function within(folder: string, path: string): string {
  return relative(folder, path).replaceAll(sep, "/");
}
