import { ciOf, GITHUB } from "@skein/ci";
import { ExitCode, inertLog } from "@skein/reporting";
import { appendSummary } from "@skein/reporting/actions-files";
import type { DispatchWorld } from "../world.js";
import type { ReportAction } from "./action.js";
import { judgeBudget } from "./budget.js";
import { measure } from "./measure.js";
import { renderReportCsv } from "./render/render-report-csv.js";
import { renderReportMarkdown } from "./render/render-report-markdown.js";
import { renderOpenMetrics } from "./render/render-open-metrics.js";
import { eventMetrics, renderOtlp } from "./render/render-otlp.js";
import { renderReport } from "./render/render-report.js";

/**
 * Runs `ci-dispatch metrics report`. The exit code is 3 if a file is broken or the budget can't be judged: a gate must
 * not pass because data is missing.
 */
export async function report(
  world: DispatchWorld,
  { measuring, baseline, failAbove, format }: ReportAction,
): Promise<number> {
  const { stdout, stderr, env } = world;
  const server = ciOf(env).server ?? GITHUB;
  const { report: measured, also: ofEvents } = await measure(
    world,
    measuring,
    baseline,
    (log, { asOf, days }) =>
      format === "otlp" ? eventMetrics(log, { asOf, days }, server) : [],
  );
  switch (format) {
    case "table":
      stdout.write(
        inertLog(
          renderReport(measured, stdout.isTTY ? stdout.columns : undefined),
        ),
      );
      break;
    case "json":
      stdout.write(`${JSON.stringify(measured, null, 2)}\n`);
      break;
    case "markdown":
      stdout.write(renderReportMarkdown(measured, server));
      break;
    case "csv":
      stdout.write(renderReportCsv(measured));
      break;
    case "openmetrics":
      stdout.write(renderOpenMetrics(measured));
      break;
    case "otlp":
      stdout.write(renderOtlp(measured, ofEvents));
  }
  await appendSummary(env, () => renderReportMarkdown(measured, server));
  if (measured.coverage.unread.files.length > 0) return ExitCode.Unfinished;
  if (failAbove === undefined) return ExitCode.Ok;
  const verdict = judgeBudget(measured, failAbove);
  if (verdict.kind === "within") return ExitCode.Ok;
  stderr.write(`${verdict.words}\n`);
  return verdict.kind === "above" ? ExitCode.Bad : ExitCode.Unfinished;
}
