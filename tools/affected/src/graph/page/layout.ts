/** Where a package stands: the middle of its box, in units of the drawing. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Sizes of the drawing. */
export const box = { width: 230, height: 26, gapX: 70, gapY: 8 } as const;

/**
 * A layered drawing: what nobody here depends on stands right, each package right of all it depends on (an edge that closes
 * a cycle excepted), and neighbours near one another. A layer that is too high stands in several columns, so that the whole
 * has about the shape of a screen. Linear in packages and edges, but for the sorting.
 * @param shown the places to draw, in the order that breaks ties
 * @param dependencies places of each place's dependencies; those not shown are passed over
 */
export function layOut(
  shown: readonly number[],
  dependencies: readonly (readonly number[])[],
): ReadonlyMap<number, Point> {
  const visible = new Set(shown);
  const below = (place: number) =>
    (dependencies[place] ?? []).filter((other) => visible.has(other));
  const layers = columnsOf(sorted(layersOf(shown, below), below), shown.length);
  const points = new Map<number, Point>();
  let x = 0;
  for (const columns of layers) {
    for (const column of columns) {
      column.forEach((place, row) => {
        const y = (row - (column.length - 1) / 2) * (box.height + box.gapY);
        points.set(place, { x, y });
      });
      x += box.width + box.gapX / 3;
    }
    x += box.gapX;
  }
  return points;
}

/** The longest way down from each place gives its layer; an edge back to a place still open closes a cycle. */
function layersOf(
  shown: readonly number[],
  below: (place: number) => readonly number[],
): number[][] {
  const layerOf = new Map<number, number>();
  const opened = new Set<number>();
  // A stack of our own: a chain can be longer than the browser's.
  for (const start of shown) {
    const stack = opened.has(start) ? [] : [start];
    while (stack.length > 0) {
      const place = stack.at(-1) ?? start;
      if (!opened.has(place)) {
        opened.add(place);
        for (const other of below(place))
          if (!opened.has(other)) stack.push(other);
        continue;
      }
      stack.pop();
      if (layerOf.has(place)) continue;
      const layers = below(place).map((other) => layerOf.get(other) ?? -1);
      layerOf.set(
        place,
        layers.reduce((most, each) => Math.max(most, each), -1) + 1,
      );
    }
  }
  const layers: number[][] = [];
  for (const place of shown)
    (layers[layerOf.get(place) ?? 0] ??= []).push(place);
  return layers;
}

/** Sorts each layer by the mean row of what its packages touch in the others, a few times down and up. */
function sorted(
  layers: number[][],
  below: (place: number) => readonly number[],
): number[][] {
  const above = new Map<number, number[]>();
  for (const place of layers.flat())
    for (const other of below(place)) {
      const list = above.get(other);
      if (list) list.push(place);
      else above.set(other, [place]);
    }
  const height = new Map<number, number>();
  const number = (layer: readonly number[]) =>
    layer.forEach((place, row) => height.set(place, row / layer.length));
  layers.forEach(number);
  const settle = (
    layer: number[],
    neighbours: (place: number) => readonly number[],
  ) => {
    const wanted = new Map(
      layer.map((place) => {
        const rows = neighbours(place).map((other) => height.get(other) ?? 0);
        const sum = rows.reduce((total, row) => total + row, 0);
        return [
          place,
          rows.length > 0 ? sum / rows.length : (height.get(place) ?? 0),
        ];
      }),
    );
    layer.sort((a, b) => (wanted.get(a) ?? 0) - (wanted.get(b) ?? 0));
    number(layer);
  };
  for (let round = 0; round < 3; round++) {
    for (const layer of layers) settle(layer, below);
    for (const layer of layers.toReversed())
      settle(layer, (place) => above.get(place) ?? []);
  }
  return layers;
}

/** Breaks high layers into columns. */
function columnsOf(layers: readonly number[][], count: number): number[][][] {
  // At this height, full columns make a drawing a bit wider than high.
  const most = Math.max(
    12,
    Math.ceil(Math.sqrt((count * box.width) / box.height)),
  );
  return layers.map((layer) => {
    const columns = Math.ceil(layer.length / most);
    const height = Math.ceil(layer.length / columns);
    return Array.from({ length: columns }, (_, index) =>
      layer.slice(index * height, (index + 1) * height),
    );
  });
}
