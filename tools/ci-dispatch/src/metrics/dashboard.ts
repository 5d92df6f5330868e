import { ciOf, GITHUB } from "@skein/ci";
import { lastRuns } from "@skein/delivery-metrics";
import { ExitCode, printable, writeText } from "@skein/reporting";
import type { DispatchWorld } from "../world.js";
import type { DashboardAction } from "./action.js";
import { measure } from "./measure.js";

/** The maximum number of runs whose jobs the page shows. */
const MOST_RUNS = 3;

/** Runs `ci-dispatch metrics dashboard`: writes the page to a file, and the file's path to stderr. */
export async function dashboard(
  world: DispatchWorld,
  { measuring, output, baseline, budget }: DashboardAction,
): Promise<number> {
  const { cwd, env, stderr } = world;
  const { report, also: runs } = await measure(
    world,
    measuring,
    baseline,
    (log, { asOf }) => lastRuns(log, { asOf, most: MOST_RUNS }),
  );
  // The chart library takes time to load, and no other command needs it.
  const { renderDashboard } = await import("./dashboard/render-dashboard.js");
  const page = renderDashboard({
    report,
    runs,
    server: ciOf(env).server ?? GITHUB,
    budget,
  });
  const file = await writeText(cwd, output, page);
  stderr.write(`wrote ${printable(file)}\n`);
  return ExitCode.Ok;
}
