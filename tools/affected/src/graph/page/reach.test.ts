import { expect, test } from "@jest/globals";
import { neighboursOf, reachFrom, wayTo } from "./reach.js";

const nodes = Array.from({ length: 6 }, (_, index) => ({
  name: String(index),
  dir: "",
  affected: false,
  reasons: [],
  tags: [],
  owners: [],
}));

test("reach and ways: nearest first, with cycles and double edges", () => {
  const { dependents, dependencies } = neighboursOf({
    nodes,
    edges: [
      [1, 0, 0],
      [1, 0, 1],
      [2, 1, 0],
      [2, 0, 0],
      [3, 2, 0],
      [0, 3, 0],
      [5, 5, 0],
    ],
  });
  expect(dependents).toEqual([[1, 2], [2], [3], [0], [], [5]]);
  expect(dependencies).toEqual([[3], [0], [0, 1], [2], [], [5]]);
  const next = (place: number) => dependents[place];
  const reached = reachFrom(0, next);
  expect([...reached]).toEqual([
    [1, 0],
    [2, 0],
    [3, 2],
  ]);
  expect(wayTo(3, reached)).toEqual([0, 2, 3]);
  expect(reachFrom(4, next).size).toBe(0);
  expect(reachFrom(5, next).size).toBe(0);
});
