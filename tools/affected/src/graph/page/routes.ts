import { box, type Point } from "./layout.js";

/** The distance between an edge and a box that it passes. */
const CLEARANCE = 8;

/** Returns the points at which an edge crosses the rows between its ends, from its start to its end. */
export type Route = (start: Point, end: Point) => readonly Point[];

/**
 * Opens the routes of a drawing. An edge crosses each row in the gap that is nearest to its straight way, so it never
 * runs behind a box.
 */
export function openRoutes(points: Iterable<Point>): Route {
  const rows = new Map<number, number[]>();
  for (const { x, y } of points) {
    const row = rows.get(y);
    if (row) row.push(x);
    else rows.set(y, [x]);
  }
  const downwards = [...rows]
    .map(([y, columns]) => ({ y, columns: columns.sort((a, b) => a - b) }))
    .sort((a, b) => a.y - b.y);
  const rowAt = new Map(downwards.map(({ y }, at) => [y, at]));
  return (start, end) => {
    const [first, last] = [rowAt.get(start.y) ?? 0, rowAt.get(end.y) ?? 0];
    const between = downwards.slice(
      Math.min(first, last) + 1,
      Math.max(first, last),
    );
    let { x, y } = start;
    return (first < last ? between : between.reverse()).map((row) => {
      const wanted = x + ((end.x - x) * (row.y - y)) / (end.y - y);
      x = freeColumn(row.columns, wanted);
      y = row.y;
      return { x, y };
    });
  };
}

/** Returns the position next to the wanted one that no box of a row covers. */
function freeColumn(columns: readonly number[], wanted: number): number {
  const found = columns.findIndex((column) => column > wanted);
  const next = found < 0 ? columns.length : found;
  const reach = box.width / 2 + CLEARANCE;
  return Math.min(
    Math.max(wanted, (columns[next - 1] ?? -Infinity) + reach),
    (columns[next] ?? Infinity) - reach,
  );
}
