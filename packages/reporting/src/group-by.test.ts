import { expect, test } from "@jest/globals";
import { groupBy } from "./group-by.js";

test("groups and their items keep the order of the items", () => {
  const groups = groupBy([3, 1, 4, 1, 5, 9, 2, 6], (n) => n % 2 === 0);
  expect([...groups]).toEqual([
    [false, [3, 1, 1, 5, 9]],
    [true, [4, 2, 6]],
  ]);
});

test("no items have no groups", () => {
  expect(groupBy([], String).size).toBe(0);
});
