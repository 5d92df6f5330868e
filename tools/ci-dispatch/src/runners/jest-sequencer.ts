import { chooseTests, within } from "./choose-tests.js";
import type { Choice, TestFile } from "./choose-tests.js";

/**
 * Creates a test sequencer for Jest, which passes it all test files. The sequencer selects the files of one shard, and
 * a part of the files that no shard names.
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
