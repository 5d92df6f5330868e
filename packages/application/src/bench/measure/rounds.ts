import type { Sample } from "./measure.js";

/** Something to measure repeatedly. */
export interface Contender {
  readonly label: string;
  /** Runs it once. Its preparation isn't part of the sample. */
  readonly run: () => Promise<Sample>;
}

export interface RoundsOptions {
  /** The runs of each contender, after a warm-up that doesn't count. */
  readonly runs: number;
  /** The time for all runs of a contender, in milliseconds. A slow one gets fewer runs. */
  readonly budgetMs: number;
  readonly log: (line: string) => void;
}

/**
 * Measures all contenders in turns, so that a noisy minute affects all of them. Each turn has another order, so that no
 * contender always follows the same heavy one and finds cold caches. If one fails, is stopped, or uses its whole budget
 * in the warm-up, that is its only sample.
 * @returns the samples of each, in the order of the contenders
 */
export async function rounds(
  contenders: readonly Contender[],
  { runs, budgetMs, log }: RoundsOptions,
): Promise<Sample[][]> {
  const states: { contender: Contender; wanted: number; samples: Sample[] }[] =
    [];
  for (const contender of contenders) {
    const first = await contender.run();
    const failed = first.exitCode !== 0 || first.stopped;
    const fits = Math.min(runs, Math.floor(budgetMs / first.wallMs));
    const wanted = failed ? 0 : fits;
    log(`warm-up ${contender.label}: ${Math.round(first.wallMs)} ms`);
    states.push({ contender, wanted, samples: wanted === 0 ? [first] : [] });
  }
  for (let round = 0; round < runs; round++) {
    for (const { contender, wanted, samples } of inOrder(states, round))
      if (round < wanted) samples.push(await contender.run());
    log(`round ${round + 1} of ${runs}`);
  }
  return states.map(({ samples }) => samples);
}

/**
 * Returns another order for each round, in which almost every element has another predecessor. The first round keeps
 * the given order.
 */
function inOrder<T>(list: readonly T[], round: number): T[] {
  const { length } = list;
  const strides = list
    .map((_, index) => index + 1)
    .filter((stride) => commonDivisor(stride, length) === 1);
  const stride = strides[round % strides.length] ?? 1;
  return list.flatMap((_, index) =>
    list.slice((index * stride + round) % length).slice(0, 1),
  );
}

function commonDivisor(a: number, b: number): number {
  return b === 0 ? a : commonDivisor(b, a % b);
}
