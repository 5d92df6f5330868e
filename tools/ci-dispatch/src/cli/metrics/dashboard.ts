import type { Declare } from "@skein/reporting/command-line";
import type { DashboardAction, MetricsAction } from "../../metrics/action.js";
import type { MeasuringFlags } from "./measuring.js";
import { measuring, measuringFlags, span } from "./measuring.js";

type Flags = MeasuringFlags & Omit<DashboardAction, "kind" | "measuring">;

/** Declares `metrics dashboard`. */
export const addMetricsDashboard: Declare<MetricsAction> = (metrics, emit) => {
  measuringFlags(
    metrics
      .command("dashboard")
      .description(
        "write the report as one self-contained HTML page: trend, stages, slowest pull requests, runs, packages, flakes",
      ),
  )
    .optionsGroup("The page:")
    .requiredOption("-o, --output <file>", "where to write the page")
    .option(
      "--baseline <date|file>",
      "compare with the window that ended on this date, or with a report written by `report --json`",
    )
    .option(
      "--budget <span>",
      "draw a line at this budget for the P90: 120m",
      span,
    )
    .examples(
      "ci-dispatch metrics dashboard --output dashboard.html",
      "ci-dispatch metrics dashboard --store events --budget 120m -o page.html",
    )
    .action((flags: Flags) =>
      emit({
        kind: "dashboard",
        measuring: measuring(flags),
        output: flags.output,
        baseline: flags.baseline,
        budget: flags.budget,
      }),
    );
};
