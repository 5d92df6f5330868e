import type { Command as Program } from "commander";
import type { MetricsAction } from "../../metrics/action.js";
import type { MeasuringFlags } from "./measuring.js";
import { measuring, measuringFlags, span } from "./measuring.js";

type Flags = MeasuringFlags & {
  readonly output: string;
  readonly baseline?: string;
  readonly budget?: number;
};

/** Declares `metrics dashboard`. */
export function addMetricsDashboard(
  metrics: Program,
  emit: (action: MetricsAction) => void,
): void {
  measuringFlags(
    metrics
      .command("dashboard")
      .description(
        "the report as one HTML page that needs no network: trend, stages, slowest pull requests, runs, packages, flakes",
      ),
  )
    .requiredOption("-o, --output <file>", "where the page is written")
    .option(
      "--baseline <date|file>",
      "compare with the window that ended then, or with a report that `report --json` wrote",
    )
    .option(
      "--budget <span>",
      "draw a line at the budget of the P90: 120m",
      span,
    )
    .addHelpText("after", EXAMPLES)
    .action((flags: Flags) =>
      emit({
        kind: "dashboard",
        measuring: measuring(flags),
        output: flags.output,
        baseline: flags.baseline,
        budget: flags.budget,
      }),
    );
}

const EXAMPLES = `
Examples:
  $ ci-dispatch metrics dashboard --output dashboard.html
  $ ci-dispatch metrics dashboard --store events --window 6w --budget 120m -o site/index.html
`;
