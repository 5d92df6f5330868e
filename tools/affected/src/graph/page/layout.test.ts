import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { box, layOut } from "./layout.js";

const length = (values: number[]) => Math.max(...values) - Math.min(...values);
const shapeOf = (points: ReadonlyMap<number, { x: number; y: number }>) =>
  (length([...points.values()].map(({ x }) => x)) + box.width) /
  (length([...points.values()].map(({ y }) => y)) + box.height);

test("a package is above its dependencies, and boxes don't overlap", () => {
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
      // Edges lead only to smaller numbers: without cycles every edge must lead down.
      const dependencies = Array.from({ length: count }, (_, from) =>
        pairs.filter(([a, b]) => a === from && b < a).map(([, b]) => b),
      );
      const points = [...layOut([...dependencies.keys()], dependencies)];
      expect(points.length).toBe(count);
      const at = new Map(points);
      dependencies.forEach((all, from) => {
        for (const to of all)
          expect(at.get(from)?.y ?? 0).toBeLessThan(
            (at.get(to)?.y ?? 0) - box.height,
          );
      });
      for (const [a, one] of points)
        for (const [b, other] of points)
          if (a < b && one.y === other.y)
            expect(Math.abs(one.x - other.x)).toBeGreaterThan(box.width);
    }),
  );
});

test("cycles, hidden packages and an empty graph", () => {
  const cycle = layOut([0, 1, 2], [[1], [2], [0]]);
  expect(new Set([...cycle.values()].map(({ y }) => y)).size).toBe(3);
  expect([...layOut([0, 2], [[1], [2], []]).keys()].sort()).toEqual([0, 2]);
  expect(layOut([], []).size).toBe(0);
});

test("a chain of any length is laid out without recursion", () => {
  const chain = Array.from({ length: 30_000 }, (_, index) =>
    index > 0 ? [index - 1] : [],
  );
  expect(layOut([...chain.keys()].reverse(), chain).size).toBe(30_000);
});

test.each([
  ["a layer of thousands", 4000, () => []],
  ["seven layers of three", 21, (at: number) => (at < 3 ? [] : [at - 3])],
  ["a chain of twelve", 12, (at: number) => (at === 0 ? [] : [at - 1])],
] as const)("%s has about the shape of the canvas", (_, count, below) => {
  const places = [...Array(count).keys()];
  for (const canvas of [
    { width: 800, height: 600 },
    { width: 390, height: 500 },
  ]) {
    const shape = shapeOf(layOut(places, places.map(below), canvas));
    const ratio = shape / (canvas.width / canvas.height);
    expect(ratio).toBeGreaterThan(0.5);
    expect(ratio).toBeLessThan(2);
  }
});
