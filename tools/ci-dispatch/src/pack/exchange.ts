/** Each step lowers the fullest bin or leaves one bin fewer as full as it, so this many are never reached in earnest. */
const MOST_STEPS = 10_000;

interface Step {
  /** Out of the fullest bin. */
  readonly out: number;
  /** What comes back for it; undefined where it only moves. */
  readonly back: number | undefined;
  readonly bin: number;
  /** The higher of the two bins afterwards. */
  readonly height: number;
}

/**
 * Improves a packing: as long as it lowers the fullest bin, one of its weights moves to another bin, or is swapped for a
 * lighter one there; always the step after which the higher of the two is lowest.
 * @param enough stops where no bin is above this
 * @returns bins, as high as before or lower
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
    // Sums of fractions differ by their order: a gain too small to be one would go round in circles.
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
      // The best partner weighs so much that half the difference goes over: its neighbours in order of weight.
      const at = lowerBound(others, weightOf(out) - wanted, weightOf);
      for (const near of [at - 1, at]) {
        const back = others[near];
        if (back !== undefined) offer(out, back, bin);
      }
    }
  });
  return best;
}

/** The first place whose weight is not below this. */
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
