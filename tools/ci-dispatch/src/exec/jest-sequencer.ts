import { relative, sep } from "node:path";

/** A test file as Jest describes it to a sequencer. */
interface TestFile {
  /** The absolute path. */
  readonly path: string;
}

/** The selection of Jest's test files. */
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
 * Creates a test sequencer for Jest, which passes it all test files. The sequencer selects the files of one shard, and
 * a part of the files that no shard names. All shards see the same list, so each file runs in exactly one of them.
 */
export function makeSequencer(choice: Choice): new () => {
  shard(tests: readonly TestFile[]): readonly TestFile[];
  sort(tests: readonly TestFile[]): readonly TestFile[];
  allFailedTests(tests: readonly TestFile[]): readonly TestFile[];
  cacheResults(): void;
} {
  return class {
    shard(tests: readonly TestFile[]) {
      return chooseTests(tests, choice);
    }
    /** Sorts the files that the shard names first, in the order of the plan. */
    sort(tests: readonly TestFile[]) {
      const order = new Map(
        (choice.shards[choice.mine] ?? []).map((file, index) => [file, index]),
      );
      const rank = ({ path }: TestFile) =>
        order.get(within(choice.folder, path)) ?? Infinity;
      return [...tests].sort(
        (a, b) =>
          (rank(a) === rank(b) ? 0 : rank(a) - rank(b)) ||
          (a.path < b.path ? -1 : 1),
      );
    }
    allFailedTests(tests: readonly TestFile[]) {
      return tests;
    }
    /** Runs share no state. */
    cacheResults() {
      return undefined;
    }
  };
}

/** Returns the tests of one shard. Pure. Over all shards, each test is chosen exactly once. */
export function chooseTests(
  tests: readonly TestFile[],
  { folder, shards, mine, only }: Choice,
): readonly TestFile[] {
  const shardOf = new Map(
    shards.flatMap((files, index) => files.map((file) => [file, index])),
  );
  const unnamed = tests
    .map(({ path }) => path)
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

function within(folder: string, path: string): string {
  return relative(folder, path).replaceAll(sep, "/");
}
