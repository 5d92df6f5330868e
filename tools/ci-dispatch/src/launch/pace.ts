import type { Usage } from "@skein/github";
import type { LaunchState } from "../launch.js";

/** However few requests are left, one looks so often: what others use comes back too. */
const LONGEST_MS = 5 * 60_000;

/**
 * How long to wait before the next look, so that the hour's requests last: a GITHUB_TOKEN has 1,000 for its whole
 * repository. Pure. A look may ask for every page of the runs and one of the artifacts; a job that has not ended takes
 * two requests more, to be asked for and to be read.
 * @param usage what GitHub has said last of the requests that are left; undefined where it says nothing
 * @returns milliseconds; `interval` at least
 */
export function pause(
  { jobs }: LaunchState,
  usage: Usage | undefined,
  { interval, now }: { readonly interval: number; readonly now: number },
): number {
  if (usage?.remaining === undefined || usage.resetAt === undefined)
    return interval;
  const open = jobs.filter(({ phase }) => phase !== "ended").length;
  const each = Math.ceil(jobs.length / 100) + 1;
  const looks = Math.max(1, (usage.remaining - 2 * open) / each);
  const left = Math.max(0, usage.resetAt * 1000 - now);
  return Math.max(interval, Math.min(LONGEST_MS, left / looks));
}
