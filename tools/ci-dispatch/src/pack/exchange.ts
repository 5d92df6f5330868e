/**
 * A limit that is never reached in practice, since each step lowers the fullest bin or reduces the number of bins that
 * are as full.
 */
const MOST_STEPS = 10_000;

interface Step {
  /** The weight that leaves the fullest bin. */
  readonly out: number;
  /** The weight that replaces it; undefined for a move without replacement. */
  readonly back: number | undefined;
  readonly bin: number;
  /** The height of the higher of the two bins afterwards. */
  readonly height: number;
}

/**
 * Improves a packing until the fullest bin can't be lowered. Each step moves one of its weights to another bin, or
 * swaps it for a lighter one there. It chooses the step after which the higher of the two bins is lowest.
 * @param enough stops if no bin is above this height
 * @returns bins that are at most as high as before
 */
export function exchange(
  weights: readonly number[],
  start: readonly number[],
  count: number,
  enough: number,
): number[] {
  const bins = [...start];
  const weightOf = (index: number) => weights[index] ?? 0;
  const members = Array.from({ length: count }, (): number[] => []);
  const loads = new Array<number>(count).fill(0);
  bins.forEach((bin, index) => {
    members[bin]?.push(index);
    loads[bin] = (loads[bin] ?? 0) + weightOf(index);
  });
  for (let step = 0; step < MOST_STEPS; step++) {
    const top = loads.indexOf(Math.max(...loads));
    const height = loads[top] ?? 0;
    if (height <= enough) break;
    const found = bestStep(members, loads, top, weightOf);
    // Sums of fractions depend on their order. A gain within the rounding error could lead to an endless loop.
    if (!found || found.height >= height * (1 - 1e-9)) break;
    const move = (index: number, from: number, to: number) => {
      members[from] = (members[from] ?? []).filter((each) => each !== index);
      members[to]?.push(index);
      bins[index] = to;
      loads[from] = (loads[from] ?? 0) - weightOf(index);
      loads[to] = (loads[to] ?? 0) + weightOf(index);
    };
    move(found.out, top, found.bin);
    if (found.back !== undefined) move(found.back, found.bin, top);
  }
  return bins;
}

function bestStep(
  members: readonly (readonly number[])[],
  loads: readonly number[],
  top: number,
  weightOf: (index: number) => number,
): Step | undefined {
  const height = loads[top] ?? 0;
  let best: Step | undefined;
  const offer = (out: number, back: number | undefined, bin: number) => {
    const gain = weightOf(out) - (back === undefined ? 0 : weightOf(back));
    const higher = Math.max(height - gain, (loads[bin] ?? 0) + gain);
    if (gain > 0 && (best === undefined || higher < best.height))
      best = { out, back, bin, height: higher };
  };
  loads.forEach((load, bin) => {
    if (bin === top || load >= height) return;
    const wanted = (height - load) / 2;
    const others = (members[bin] ?? []).toSorted(
      (a, b) => weightOf(a) - weightOf(b),
    );
    for (const out of members[top] ?? []) {
      offer(out, undefined, bin);
      // The best partner is lighter by half the difference of the bins. Its neighbours in order of weight are the
      // candidates.
      const at = lowerBound(others, weightOf(out) - wanted, weightOf);
      for (const near of [at - 1, at]) {
        const back = others[near];
        if (back !== undefined) offer(out, back, bin);
      }
    }
  });
  return best;
}

/** Returns the first index whose weight is at least this. */
function lowerBound(
  sorted: readonly number[],
  weight: number,
  weightOf: (index: number) => number,
): number {
  let low = 0;
  for (let high = sorted.length; low < high;) {
    const middle = (low + high) >>> 1;
    if (weightOf(sorted[middle] ?? 0) < weight) low = middle + 1;
    else high = middle;
  }
  return low;
}
