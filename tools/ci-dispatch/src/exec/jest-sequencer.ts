import { relative, sep } from "node:path";

/** What Jest tells a sequencer of a test file. */
interface TestFile {
  /** Absolute. */
  readonly path: string;
}

/** Which of Jest's test files are to run. */
export interface Choice {
  /** The package's folder; absolute, links resolved. */
  readonly folder: string;
  /** The files of each shard, from the package's folder. */
  readonly shards: readonly (readonly string[])[];
  /** Which of them this is; 0-based. */
  readonly mine: number;
  /** Run nothing but what the shard names; else files that no shard names are dealt out. */
  readonly only: boolean;
}

/**
 * Makes a test sequencer for Jest, which shows it every test file it has found. It keeps those of one shard, and of the
 * files that no shard names its part: all shards see the same list, so that each file runs in exactly one of them.
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
    /** In the order of the plan: what its shard names first. */
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
    /** Nothing is kept between runs. */
    cacheResults() {
      return undefined;
    }
  };
}

/** The tests that one shard runs. Pure; over all shards each test is chosen exactly once. */
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
