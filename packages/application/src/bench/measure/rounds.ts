import type { Sample } from "./measure.js";

/** Something that is measured again and again. */
export interface Contender {
  readonly label: string;
  /** One run. Whatever it must prepare is not part of the sample. */
  readonly run: () => Promise<Sample>;
}

export interface RoundsOptions {
  /** Runs of each, after one that warms up and is not counted. */
  readonly runs: number;
  /** A contender is run fewer times where all its runs would take longer than this, in milliseconds. */
  readonly budgetMs: number;
  readonly say: (line: string) => void;
}

/**
 * Measures all contenders in turns, so that a noisy minute hurts them all alike, and in another order in each, so that
 * none comes after the same heavy one each time and finds its own caches cold. One that fails, is stopped, or takes
 * its whole budget in the warm-up has that one sample.
 * @returns the samples of each, in the order of the contenders
 */
export async function rounds(
  contenders: readonly Contender[],
  { runs, budgetMs, say }: RoundsOptions,
): Promise<Sample[][]> {
  const states: { contender: Contender; wanted: number; samples: Sample[] }[] =
    [];
  for (const contender of contenders) {
    const first = await contender.run();
    const failed = first.exitCode !== 0 || first.stopped;
    const fits = Math.min(runs, Math.floor(budgetMs / first.wallMs));
    const wanted = failed ? 0 : fits;
    say(`warm-up ${contender.label}: ${Math.round(first.wallMs)} ms`);
    states.push({ contender, wanted, samples: wanted === 0 ? [first] : [] });
  }
  for (let round = 0; round < runs; round++) {
    for (const { contender, wanted, samples } of inOrder(states, round))
      if (round < wanted) samples.push(await contender.run());
    say(`round ${round + 1} of ${runs}`);
  }
  return states.map(({ samples }) => samples);
}

/** Another order for each round, in which nearly each has another before it; the first round's is the given one. */
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
