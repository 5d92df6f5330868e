import type { Declare } from "@skein/reporting/command-line";
import type { MetricsAction, ReportFormat } from "../../metrics/action.js";
import { REPORT_FORMATS } from "../../metrics/action.js";
import type { MeasuringFlags } from "./measuring.js";
import { measuring, measuringFlags, span } from "./measuring.js";

type Flags = MeasuringFlags & {
  readonly baseline?: string;
  readonly failAbove?: number;
} & Partial<Readonly<Record<ReportFormat, boolean>>>;

/** The help of each format's option. Without an option, the report is a table. */
const FORMAT_HELP: Readonly<Record<Exclude<ReportFormat, "table">, string>> = {
  json: "print the report as JSON (version 1)",
  markdown: "print it as GitHub Markdown",
  csv: "print CSV: a line for each distribution and each day",
  openmetrics: "print it as OpenMetrics text",
  otlp: "print it as OTLP JSON with OpenTelemetry's names: cicd.pipeline.run.duration, vcs.change.time_to_merge, …",
};

/** Declares `metrics report`. */
export const addMetricsReport: Declare<MetricsAction> = (metrics, emit) => {
  const verb = measuringFlags(
    metrics
      .command("report")
      .description(
        "report lead time, stages, packages, flakes and savings over a trailing window",
      ),
  )
    .optionsGroup("Comparison:")
    .option(
      "--baseline <date|file>",
      "compare with the window that ended on this date, or with a report written by --json",
    )
    .option(
      "--fail-above <span>",
      "exit with 1 if the headline's P90 is higher: 120m",
      span,
    );
  verb.optionsGroup("Output:");
  for (const [format, help] of Object.entries(FORMAT_HELP))
    verb.option(`--${format}`, help);
  verb
    .examples(
      "ci-dispatch metrics report",
      "ci-dispatch metrics report --as-of 2026-01-31 --team @acme/web",
      "ci-dispatch metrics report --baseline 2025-11-30 --fail-above 120m",
    )
    .action((flags: Flags) => {
      const formats = REPORT_FORMATS.filter((format) => flags[format]);
      if (formats.length > 1)
        verb.error(
          `error: --${formats.join(" and --")} can't be combined; choose one format`,
        );
      emit({
        kind: "report",
        measuring: measuring(flags),
        baseline: flags.baseline,
        failAbove: flags.failAbove,
        format: formats[0] ?? "table",
      });
    });
};
