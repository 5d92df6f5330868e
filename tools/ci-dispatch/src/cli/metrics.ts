import type { Declare } from "@skein/reporting/command-line";
import type { Command } from "../command.js";
import type { MetricsAction } from "../metrics/action.js";
import { addMetricsCompare } from "./metrics/compare.js";
import { addMetricsExport } from "./metrics/export.js";
import { addMetricsImport } from "./metrics/import.js";
import { addMetricsDashboard } from "./metrics/dashboard.js";
import { addMetricsReport } from "./metrics/report.js";
import { addMetricsSync } from "./metrics/sync.js";

/** Declares `metrics` and its verbs. */
export const addMetrics: Declare<Command> = (program, emit) => {
  const metrics = program
    .command("metrics")
    .description(
      "measure how long changes take from their first push to their users",
    );
  const emitAction = (action: MetricsAction) =>
    emit({ kind: "metrics", action });
  for (const add of [
    addMetricsSync,
    addMetricsImport,
    addMetricsReport,
    addMetricsCompare,
    addMetricsDashboard,
    addMetricsExport,
  ])
    add(metrics, emitAction);
};
