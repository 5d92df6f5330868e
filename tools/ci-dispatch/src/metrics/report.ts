import { showLeadTime } from "@skein/delivery-metrics";
import type { DeliveryReport } from "@skein/delivery-metrics";
import { appendSummary, ExitCode, inertLog } from "@skein/reporting";
import type { DispatchWorld } from "../world.js";
import type { ReportAction } from "./action.js";
import { measure } from "./measure.js";
import { renderReportCsv } from "./render/render-report-csv.js";
import { renderReportMarkdown } from "./render/render-report-markdown.js";
import { renderOpenMetrics } from "./render/render-open-metrics.js";
import { renderOtlp } from "./render/render-otlp.js";
import { renderReport } from "./render/render-report.js";

/** `ci-dispatch metrics report`. Where a file is broken, the exit code says that not all was read: no budget is judged by the rest. */
export async function report(
  world: DispatchWorld,
  { measuring, baseline, failAbove, format }: ReportAction,
): Promise<number> {
  const { stdout, stderr, env } = world;
  const { report: told, events } = await measure(world, measuring, baseline);
  const server = env["GITHUB_SERVER_URL"] ?? "https://github.com";
  switch (format) {
    case "table":
      stdout.write(
        inertLog(renderReport(told, stdout.isTTY ? stdout.columns : undefined)),
      );
      break;
    case "json":
      stdout.write(`${JSON.stringify(told, null, 2)}\n`);
      break;
    case "markdown":
      stdout.write(renderReportMarkdown(told, server));
      break;
    case "csv":
      stdout.write(renderReportCsv(told));
      break;
    case "openmetrics":
      stdout.write(renderOpenMetrics(told));
      break;
    case "otlp":
      stdout.write(renderOtlp(told, events, server));
  }
  await appendSummary(env, () => renderReportMarkdown(told, server));
  if (told.coverage.unread.files.length > 0) return ExitCode.Unfinished;
  return failAbove === undefined
    ? ExitCode.Ok
    : judgeBudget(told, failAbove, stderr);
}

function judgeBudget(
  { measures: { headline } }: DeliveryReport,
  budget: number,
  stderr: DispatchWorld["stderr"],
): number {
  if (!headline.values) {
    stderr.write(
      `note: the budget of ${showLeadTime(budget)} is not judged: ${headline.n} pull requests are too few\n`,
    );
    return ExitCode.Ok;
  }
  const { p90 } = headline.values;
  if (p90.ms <= budget) return ExitCode.Ok;
  stderr.write(
    `the P90 of ${showLeadTime(p90.ms)} is above the budget of ${showLeadTime(budget)}\n`,
  );
  return ExitCode.Bad;
}
