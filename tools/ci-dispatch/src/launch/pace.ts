import type { Usage } from "@skein/github";
import type { LaunchState } from "../launch.js";

/** The longest pause, even if few requests are left, because the limit may recover. */
const LONGEST_MS = 5 * 60_000;

/**
 * Returns how long to wait before the next look, so that the hour's requests suffice. A GITHUB_TOKEN has 1,000 for its
 * whole repository. Pure. A look may request each page of the runs and one of the artifacts. A job that has not ended
 * needs two more requests: one to start it and one to read its results.
 * @param usage GitHub's last report of the requests that are left; undefined without one
 * @returns milliseconds; at least `interval`
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
