/** The position of a package: the middle of its box, in units of the drawing. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A width and a height, in any unit. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** The sizes of boxes and of the gaps between them. */
export const box = { width: 200, height: 26, gapX: 24, gapY: 14 } as const;

/** The largest gaps: larger ones would only make the drawing larger. */
const MOST_GAP = { x: 120, y: 90 } as const;

/**
 * The positions of boxes in rows of one box, as fractions of the width. In a straight line, edges would run behind
 * boxes.
 */
const ZIGZAG = [0.5, 0.28, 0.72, 0.38, 0.62] as const;

/**
 * Lays packages out in layers that fill the canvas. Packages without dependents in the drawing are at the top, and each
 * package is above all of its dependencies (except for edges that close a cycle). Neighbours are near one another. A
 * layer that is too wide becomes several rows. Apart from sorting, the time is linear in packages and edges.
 * @param shown the places to draw, in the order that breaks ties
 * @param dependencies places of each place's dependencies; those that aren't shown are skipped
 * @param canvas its size; only the aspect ratio counts
 */
export function layOut(
  shown: readonly number[],
  dependencies: readonly (readonly number[])[],
  canvas: Size = { width: 4, height: 3 },
): ReadonlyMap<number, Point> {
  const visible = new Set(shown);
  const below = (place: number) =>
    (dependencies[place] ?? []).filter((other) => visible.has(other));
  const layers = sorted(layersOf(shown, below), below).toReversed();
  const rows = rowsOf(layers, canvas);
  const widest = rows.reduce((most, { length }) => Math.max(most, length), 1);
  const { stepX, stepY } = stepsOf(widest, rows.length, canvas);
  const width = stepX * widest;
  const points = new Map<number, Point>();
  rows.forEach((row, index) => {
    const single = ZIGZAG[index % ZIGZAG.length] ?? 0.5;
    row.forEach((place, column) => {
      const part = row.length === 1 ? single : (column + 0.5) / row.length;
      points.set(place, { x: width * part, y: index * stepY });
    });
  });
  return points;
}

/**
 * Returns the layers. The longest way down from a place determines its layer. An edge back to an open place closes a
 * cycle.
 */
function layersOf(
  shown: readonly number[],
  below: (place: number) => readonly number[],
): number[][] {
  const layerOf = new Map<number, number>();
  const opened = new Set<number>();
  // We use our own stack, because a chain can be longer than the browser's.
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

/** Sorts each layer by the mean column of its packages' neighbours in other layers, a few times down and up. */
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
  const column = new Map<number, number>();
  const number = (layer: readonly number[]) =>
    layer.forEach((place, at) => column.set(place, at / layer.length));
  layers.forEach(number);
  const settle = (
    layer: number[],
    neighbours: (place: number) => readonly number[],
  ) => {
    const wanted = new Map(
      layer.map((place) => {
        const all = neighbours(place).map((other) => column.get(other) ?? 0);
        const sum = all.reduce((total, each) => total + each, 0);
        return [
          place,
          all.length > 0 ? sum / all.length : (column.get(place) ?? 0),
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

/** Breaks wide layers into rows. It chooses the row length that shows the drawing at the largest scale. */
function rowsOf(layers: readonly number[][], canvas: Size): number[][] {
  const longest = layers.reduce(
    (most, { length }) => Math.max(most, length),
    1,
  );
  const scaleOf = (most: number) => {
    const rows = layers.reduce(
      (sum, { length }) => sum + Math.ceil(length / most),
      0,
    );
    const columns = Math.min(most, longest);
    return Math.min(
      canvas.width / (columns * (box.width + box.gapX)),
      canvas.height / (rows * (box.height + box.gapY)),
    );
  };
  let best = 1;
  // The search tries every width while they are small; later, each width is a tenth larger than the one before.
  for (let most = 1; most <= longest; most += Math.ceil(most / 10))
    if (scaleOf(most) > scaleOf(best)) best = most;
  return layers.flatMap((layer) => {
    const rows = Math.ceil(layer.length / best);
    const width = Math.ceil(layer.length / rows);
    return Array.from({ length: rows }, (_, index) =>
      layer.slice(index * width, (index + 1) * width),
    );
  });
}

/**
 * Returns the distances between boxes. If there is room in one direction, boxes move apart until the drawing has the
 * canvas's shape.
 */
function stepsOf(columns: number, rows: number, canvas: Size) {
  const least = { x: box.width + box.gapX, y: box.height + box.gapY };
  const shape = canvas.width / canvas.height;
  const [width, height] = [columns * least.x, rows * least.y];
  return {
    stepX: Math.min(
      Math.max(least.x, (height * shape) / columns),
      // A row of one box has the whole width to itself.
      columns === 1 ? 3 * box.width : box.width + MOST_GAP.x,
    ),
    stepY: Math.min(
      Math.max(least.y, width / shape / rows),
      box.height + MOST_GAP.y,
    ),
  };
}
