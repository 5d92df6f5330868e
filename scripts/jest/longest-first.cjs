// The order of Jest's test files. By default, Jest starts with those that took longest the last time, and in a fresh clone
// with the largest files. But size says little about tests that start many programs: if they started late, they would run
// alone at the end.
const { basename } = require("node:path");
const { default: Sequencer } = require("@jest/test-sequencer");

/**
 * Test files that take more than 13 seconds of CPU time with their processes, the longest first. With paths instead of names,
 * every package that uses these settings would depend on the packages in them.
 */
const LONGEST = [
  "cases",
  "pack",
  "docs",
  "kill",
  "campaign",
  "zoo",
  "plan",
  "run-cache",
  "fingerprint",
  "engines",
  "pulls",
  "traps",
  "declare-peers",
  "run-manifest",
  "html",
  "run-units",
  "exec-runners",
  "exec-whole",
  "run-sync",
  "company",
  "run",
  "side-branch",
  "kill-batch",
  "check-whole",
  "exec",
];

const rankOf = ({ path }) => {
  const rank = LONGEST.indexOf(basename(path, ".test.js"));
  return rank < 0 ? LONGEST.length : rank;
};

module.exports = class LongestFirst extends Sequencer {
  /** Returns the tests in the order in which Jest starts them. */
  sort(tests) {
    return [...super.sort(tests)].sort((a, b) => rankOf(a) - rankOf(b));
  }
};
