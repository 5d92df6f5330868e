/** Assigns the weights, the longest first, to the bin that is emptiest so far: Graham's LPT. */
export function longestFirst(
  weights: readonly number[],
  order: readonly number[],
  count: number,
): number[] {
  const bins = new Array<number>(weights.length).fill(0);
  const heap = Array.from({ length: count }, (_, bin) => ({ bin, load: 0 }));
  for (const index of order) {
    const top = heap[0];
    if (top === undefined) break;
    bins[index] = top.bin;
    top.load += weights[index] ?? 0;
    sink(heap);
  }
  return bins;
}

interface Bin {
  readonly bin: number;
  load: number;
}

/** Restores a heap with the emptiest bin at the top, after the top has grown. */
function sink(heap: Bin[]): void {
  for (let at = 0; ;) {
    let least = at;
    for (const child of [2 * at + 1, 2 * at + 2]) {
      const one = heap[child];
      const other = heap[least];
      if (one && other && isBefore(one, other)) least = child;
    }
    const [a, b] = [heap[at], heap[least]];
    if (least === at || !a || !b) return;
    [heap[at], heap[least]] = [b, a];
    at = least;
  }
}

function isBefore(a: Bin, b: Bin): boolean {
  return a.load < b.load || (a.load === b.load && a.bin < b.bin);
}
