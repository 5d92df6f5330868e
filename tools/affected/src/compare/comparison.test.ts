import { expect, test } from "@jest/globals";
import { differenceOf, summarize, type JudgedCommit } from "./comparison.js";

const commit = { commit: "c", parent: "p", subject: "s" };

function compared(
  ours: readonly string[],
  theirs: readonly string[],
): JudgedCommit {
  return {
    kind: "compared",
    ...commit,
    packages: 3,
    ours: { packages: ours, everything: [], ms: 10 },
    theirs: { packages: theirs, unmatched: [], ms: 20 },
  };
}

test("a difference has what only one side selects", () => {
  const each = compared(["a", "b"], ["b", "c"]);
  expect(each.kind === "compared" && differenceOf(each)).toEqual({
    misses: ["c"],
    extras: ["a"],
  });
});

test("sums count the commits that both sides answered for", () => {
  expect(
    summarize([
      compared(["a", "b", "c"], ["a", "b"]),
      compared(["a"], ["a", "b", "c"]),
      { kind: "failed", ...commit, failure: "no" },
    ]),
  ).toEqual({
    compared: 2,
    failed: 1,
    ours: { mean: 2, everything: 1, ms: 20 },
    theirs: { mean: 2.5, everything: 1, ms: 40 },
    ratio: 0.8,
    misses: { commits: 1, packages: 2 },
    extras: { commits: 1, packages: 1 },
  });
});

test("nothing at all has no ratio", () => {
  expect(summarize([compared([], [])]).ratio).toBeUndefined();
  expect(summarize([]).ours).toEqual({ mean: 0, everything: 0, ms: 0 });
});
