import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { box, layOut } from "./layout.js";

test("a package stands right of what it depends on, and nobody on top of another", () => {
  const graph = fc.integer({ min: 1, max: 60 }).chain((count) =>
    fc.tuple(
      fc.constant(count),
      fc.array(fc.tuple(fc.nat(count - 1), fc.nat(count - 1)), {
        maxLength: 150,
      }),
    ),
  );
  fc.assert(
    fc.property(graph, ([count, pairs]) => {
      // Downwards only: without cycles every edge must lead to the left.
      const dependencies = Array.from({ length: count }, (_, from) =>
        pairs.filter(([a, b]) => a === from && b < a).map(([, b]) => b),
      );
      const points = layOut([...dependencies.keys()], dependencies);
      expect(points.size).toBe(count);
      dependencies.forEach((all, from) => {
        for (const to of all)
          expect(points.get(from)?.x).toBeGreaterThan(
            (points.get(to)?.x ?? 0) + box.width,
          );
      });
      const taken = new Set(
        [...points.values()].map(({ x, y }) => `${x} ${y}`),
      );
      expect(taken.size).toBe(count);
    }),
  );
});

test("cycles, what is not shown, and nothing at all", () => {
  const cycle = layOut([0, 1, 2], [[1], [2], [0]]);
  expect(new Set([...cycle.values()].map(({ x }) => x)).size).toBe(3);
  expect([...layOut([0, 2], [[1], [2], []]).keys()].sort()).toEqual([0, 2]);
  expect(layOut([], []).size).toBe(0);
});

test("a chain of any length is laid out without recursion", () => {
  const chain = Array.from({ length: 30_000 }, (_, index) =>
    index > 0 ? [index - 1] : [],
  );
  expect(layOut([...chain.keys()].reverse(), chain).size).toBe(30_000);
});

test("a layer of thousands stands in columns, about as wide as a screen", () => {
  const points = [...layOut([...Array(4000).keys()], []).values()];
  const length = (values: number[]) =>
    Math.max(...values) - Math.min(...values);
  const shape =
    length(points.map(({ x }) => x)) / length(points.map(({ y }) => y));
  expect(shape).toBeGreaterThan(0.5);
  expect(shape).toBeLessThan(3);
});
