import { measure } from "../measure/measure.js";
import { median } from "../measure/statistics.js";
import { commandOf, forget } from "./measure-site.js";
import type { Contestant, ReplaySite } from "./site.js";

/** The time limit of one run, in milliseconds. */
const LONGEST = 10 * 60_000;

/**
 * Measures the cost of an empty cache of results: runs with it and runs with `--no-cache` alternate, each in an empty folder.
 * @returns milliseconds per package, the median of the pairs; undefined if Skein isn't among the tools
 */
export async function measureColdCache(
  site: ReplaySite,
  contestants: readonly Contestant[],
  runs: number,
  log: (line: string) => void,
): Promise<number | undefined> {
  const skein = contestants.find(({ runner }) => runner.name === "skein");
  if (!skein) return undefined;
  const run = async (more: readonly string[]) => {
    await forget(site.dir, skein.runner);
    const command = commandOf(skein.runner, site);
    const argv = [...command.argv, ...more];
    const { wallMs } = await measure({ ...command, argv }, LONGEST);
    log(
      `Skein, cold${more.map((word) => ` ${word}`).join("")}: ${Math.round(wallMs)} ms`,
    );
    return wallMs;
  };
  const pairs: number[] = [];
  for (let round = 0; round < runs; round++) {
    // Each of the two comes first in every second round.
    const first = await run(round % 2 === 0 ? [] : ["--no-cache"]);
    const second = await run(round % 2 === 0 ? ["--no-cache"] : []);
    pairs.push(round % 2 === 0 ? first - second : second - first);
  }
  return median(pairs) / site.members.length;
}
