import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { box, layOut } from "./layout.js";
import { openRoutes } from "./routes.js";

test("an edge crosses every row between its ends, and no box of these rows", () => {
  const graph = fc.integer({ min: 2, max: 60 }).chain((count) =>
    fc.tuple(
      fc.constant(count),
      fc.array(fc.tuple(fc.nat(count - 1), fc.nat(count - 1)), {
        minLength: 1,
        maxLength: 150,
      }),
    ),
  );
  fc.assert(
    fc.property(graph, ([count, pairs]) => {
      // An edge to the package itself or of a cycle leads nowhere or upwards.
      const dependencies = Array.from({ length: count }, (_, from) =>
        pairs.filter(([a]) => a === from).map(([, b]) => b),
      );
      const points = layOut([...dependencies.keys()], dependencies);
      const all = [...points.values()];
      const route = openRoutes(all);
      for (const [from, to] of pairs) {
        const [start, end] = [points.get(from), points.get(to)];
        if (!start || !end) throw new Error("every package has a point");
        const crossings = route(start, end);
        const inside = (y: number) =>
          y > Math.min(start.y, end.y) && y < Math.max(start.y, end.y);
        const rows = [...new Set(all.map(({ y }) => y))]
          .filter(inside)
          .sort((a, b) => (start.y < end.y ? a - b : b - a));
        expect(crossings.map(({ y }) => y)).toEqual(rows);
        for (const { x, y } of crossings)
          for (const other of all)
            if (other.y === y)
              expect(Math.abs(other.x - x)).toBeGreaterThan(box.width / 2);
      }
    }),
  );
});

test("an edge goes straight down where there is room, and takes the nearest gap otherwise", () => {
  const wide = box.width + box.gapX;
  const [top, bottom] = [
    { x: 0, y: 0 },
    { x: 0, y: 200 },
  ];
  const crossing = (...row: number[]) =>
    openRoutes([top, bottom, ...row.map((x) => ({ x, y: 100 }))])(top, bottom);
  expect(crossing(-wide, wide)).toEqual([{ x: 0, y: 100 }]);
  expect(crossing(-10, wide)).toEqual([{ x: box.width / 2 - 2, y: 100 }]);
  expect(crossing(10)).toEqual([{ x: 10 - box.width / 2 - 8, y: 100 }]);
});
