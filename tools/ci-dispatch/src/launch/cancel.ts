import type { LaunchState } from "../launch.js";
import type { LauncherOptions } from "./launcher.js";
import { look } from "./look.js";
import { reconcile } from "./reconcile.js";

/** How often to look for requested runs that haven't appeared. Otherwise they would start unnoticed later. */
const MOST_LOOKS = 3;

/**
 * Cancels all runs that are not over, and ends all jobs that have not ended.
 * @throws {GitHubError}
 */
export async function cancelAll(
  state: LaunchState,
  why: string,
  options: LauncherOptions,
): Promise<void> {
  const { github, repository, save, sleep, onEvent } = options;
  let known = state;
  for (let looks = 1; ; looks++) {
    known = reconcile(known, await look(known, options), Infinity);
    for (const job of known.jobs) {
      // A retried run appears as ended until its next attempt is seen.
      const isThere =
        job.phase === "running" ||
        (job.phase === "asked" && (job.attempt === 1 || looks === MOST_LOOKS));
      if (job.run === null || !isThere) continue;
      await github.cancelRun(repository, job.run);
      onEvent({ kind: "cancelled", job: job.job, why });
      known = {
        ...known,
        jobs: known.jobs.map((each) =>
          each === job
            ? { ...job, phase: "ended", conclusion: "cancelled" }
            : each,
        ),
      };
    }
    await save(known);
    const isUnseen = known.jobs.some(({ phase }) => phase === "asked");
    if (!isUnseen || looks >= MOST_LOOKS) return;
    await sleep(options.pause(known));
  }
}
