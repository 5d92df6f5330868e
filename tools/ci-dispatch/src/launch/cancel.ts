import type { LaunchState } from "../launch.js";
import type { LauncherOptions } from "./launcher.js";
import { look } from "./look.js";
import { reconcile } from "./reconcile.js";

/** Looks for runs that were asked for and are not there yet: they would start behind our back. */
const MOST_LOOKS = 3;

/**
 * Cancels every run that is not over, and ends every job that has not ended.
 * @throws {GitHubError}
 */
export async function cancelAll(
  state: LaunchState,
  why: string,
  options: LauncherOptions,
): Promise<void> {
  const { github, repository, save, sleep, tell } = options;
  let known = state;
  for (let looks = 1; ; looks++) {
    known = reconcile(known, await look(known, options), Infinity);
    for (const job of known.jobs) {
      // A run that is asked to run again is still over as long as nobody has seen it.
      const isThere =
        job.phase === "running" ||
        (job.phase === "asked" && (job.attempt === 1 || looks === MOST_LOOKS));
      if (job.run === null || !isThere) continue;
      await github.cancelRun(repository, job.run);
      tell({ kind: "cancelled", job: job.job, why });
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
