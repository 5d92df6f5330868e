import type { Command as Program } from "commander";
import type { MetricsAction, ReportFormat } from "../../metrics/action.js";
import { REPORT_FORMATS } from "../../metrics/action.js";
import type { MeasuringFlags } from "./measuring.js";
import { measuring, measuringFlags, span } from "./measuring.js";

type Flags = MeasuringFlags & {
  readonly baseline?: string;
  readonly failAbove?: number;
} & Partial<Readonly<Record<ReportFormat, boolean>>>;

/** Declares `metrics report`. */
export function addMetricsReport(
  metrics: Program,
  emit: (action: MetricsAction) => void,
): void {
  measuringFlags(
    metrics
      .command("report")
      .description(
        "lead time, stages, packages, flakes and savings of a trailing window",
      ),
  )
    .option(
      "--baseline <date|file>",
      "compare with the window that ended then, or with a report that --json wrote",
    )
    .option(
      "--fail-above <span>",
      "exit with 1 if the headline's P90 is higher: 120m",
      span,
    )
    .option("--json", "the report as JSON, version 1")
    .option("--markdown", "as GitHub Markdown")
    .option("--csv", "a line for each distribution and each day")
    .option("--openmetrics", "as OpenMetrics text")
    .option(
      "--otlp",
      "as OTLP JSON with OpenTelemetry's names: cicd.pipeline.run.duration, vcs.change.time_to_merge, …",
    )
    .addHelpText("after", EXAMPLES)
    .action((flags: Flags, verb: Program) => {
      const formats = REPORT_FORMATS.filter((format) => flags[format]);
      if (formats.length > 1)
        verb.error(
          `error: --${formats.join(" and --")} are two formats; choose one`,
        );
      emit({
        kind: "report",
        measuring: measuring(flags),
        baseline: flags.baseline,
        failAbove: flags.failAbove,
        format: formats[0] ?? "table",
      });
    });
}

const EXAMPLES = `
Examples:
  $ ci-dispatch metrics report
  $ ci-dispatch metrics report --store events --window 6w --as-of 2026-01-31 --package @acme/app
  $ ci-dispatch metrics report --baseline 2025-11-30 --fail-above 120m

Exit codes: 0 fine, 1 above the budget, 2 wrong usage, 3 not all could be read, or the budget cannot be judged (too few pull requests that have ended, or no
event in the 7 days before the window ends).
`;
