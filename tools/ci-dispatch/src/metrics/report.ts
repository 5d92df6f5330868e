import {
  compareWindows,
  makeReport,
  seededRandom,
  showLeadTime,
  sidesOfEvents,
  sidesOfReport,
} from "@skein/delivery-metrics";
import type {
  DeliveryEvent,
  DeliveryReport,
  ReportOptions,
} from "@skein/delivery-metrics";
import { appendSummary, ExitCode, inertLog } from "@skein/reporting";
import type { DispatchWorld } from "../world.js";
import type { ReportAction } from "./action.js";
import { parseAsOf } from "./as-of.js";
import { reportOptions } from "./options.js";
import { readEvents } from "./read-events.js";
import { readKeptReport } from "./read-kept-report.js";
import { renderReportCsv } from "./render/render-report-csv.js";
import { renderReportMarkdown } from "./render/render-report-markdown.js";
import { renderOpenMetrics } from "./render/render-open-metrics.js";
import { renderOtlp } from "./render/render-otlp.js";
import { renderReport } from "./render/render-report.js";

/** Resamples are drawn with the same numbers every time, so that the same events give the same report. */
export const SEED = 1;

/** `ci-dispatch metrics report`. */
export async function report(
  world: DispatchWorld,
  { measuring, baseline, failAbove, format }: ReportAction,
): Promise<number> {
  const { stdout, stderr, env } = world;
  const options = reportOptions(world, measuring);
  const events = await readEvents(world, measuring.from);
  const made = makeReport(events, options);
  const told: DeliveryReport =
    baseline === undefined
      ? made
      : {
          ...made,
          baseline: await baselineOf(world, baseline, events, options),
        };
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
  await appendSummary(env, renderReportMarkdown(told, server));
  return failAbove === undefined
    ? ExitCode.Ok
    : judgeBudget(told, failAbove, stderr);
}

async function baselineOf(
  { cwd }: DispatchWorld,
  baseline: string,
  events: readonly DeliveryEvent[],
  options: ReportOptions,
): Promise<NonNullable<DeliveryReport["baseline"]>> {
  const asOf = parseAsOf(baseline);
  const before =
    asOf === undefined
      ? sidesOfReport(await readKeptReport(cwd, baseline))
      : sidesOfEvents(events, { ...options, asOf });
  const after = sidesOfEvents(events, options);
  return {
    window: before.window,
    changes: compareWindows(before, after, seededRandom(SEED)),
  };
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
