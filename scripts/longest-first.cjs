// The order of Jest's test files. By default, Jest starts with those that took longest the last time, and in a fresh clone
// with the largest files. But size says little about tests that start many programs: if they started late, they would run
// alone at the end.
const { default: Sequencer } = require("@jest/test-sequencer");

/** Test files of more than 20 seconds on two cores, the longest first (`yarn test:jest` prints the times). */
const LONGEST = [
  "tools/affected/dist/cases/cases.test.js",
  "packages/application/dist/pack.test.js",
  "packages/application/dist/docs.test.js",
  "tools/migrate-repo/dist/landing/kill.test.js",
  "tools/affected/dist/run-cache.test.js",
  "packages/runner/dist/jest/zoo.test.js",
  "packages/runner/dist/run-ends.test.js",
  "tools/ci-dispatch/dist/commands/launch.test.js",
  "packages/metrics-store/dist/sync/sync.test.js",
];

const rankOf = ({ path }) => {
  const rank = LONGEST.findIndex((end) =>
    path.replaceAll("\\", "/").endsWith(end),
  );
  return rank < 0 ? LONGEST.length : rank;
};

module.exports = class LongestFirst extends Sequencer {
  /** Returns the tests in the order in which Jest starts them. */
  sort(tests) {
    return [...super.sort(tests)].sort((a, b) => rankOf(a) - rankOf(b));
  }
};
