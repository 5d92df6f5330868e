import type { Until } from "@skein/delivery-metrics";

/** The place that events are read from or written to. */
export type EventSource =
  | { readonly kind: "folder"; readonly path: string }
  | {
      readonly kind: "branch";
      readonly remote: string;
      readonly branch: string;
    };

/** The options of a measurement. */
export interface Measuring {
  readonly from: EventSource;
  /** The window's length. */
  readonly days: number;
  /** A day or a time, as the user typed it; undefined for the present. */
  readonly asOf: string | undefined;
  /** The end of the lead time. Default: that of skein.json, or else the farthest one that the events contain. */
  readonly until: Until | undefined;
  readonly package: string | undefined;
  readonly team: string | undefined;
  readonly bots: boolean;
  readonly minimum: number;
}

/** The formats of `metrics report`. */
export const REPORT_FORMATS = [
  "table",
  "json",
  "markdown",
  "csv",
  "openmetrics",
  "otlp",
] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];

export interface ReportAction {
  readonly kind: "report";
  readonly measuring: Measuring;
  /** A day, a time, or the file of a stored report, as the user typed it. */
  readonly baseline: string | undefined;
  /** The limit of the headline's P90 in milliseconds. A higher P90 results in exit code 1. */
  readonly failAbove: number | undefined;
  readonly format: ReportFormat;
}

export interface CompareAction {
  readonly kind: "compare";
  readonly measuring: Measuring;
  readonly before: string;
  /** At least one. */
  readonly after: readonly string[];
  /** Whether to sum stage P90s, as LinkedIn's model does. */
  readonly stages: boolean;
  readonly json: boolean;
}

export interface SyncAction {
  readonly kind: "sync";
  /** The place that events are written to. */
  readonly to: EventSource;
  /** `owner/name`; undefined for the repository of this clone. */
  readonly repository: string | undefined;
  /** `8w`, or a date. */
  readonly since: string;
  /** The maximum number of requests; undefined for as many as GitHub allows. */
  readonly budget: number | undefined;
  /** Whether to wait when the hour's requests are used up. */
  readonly wait: boolean;
  readonly json: boolean;
}

export interface ImportAction {
  readonly kind: "import";
  /** The place that events are written to. */
  readonly to: EventSource;
  /** `owner/name`, for rows that don't name their repository. */
  readonly repository: string | undefined;
  /** Files and folders. */
  readonly paths: readonly string[];
}

export interface DashboardAction {
  readonly kind: "dashboard";
  readonly measuring: Measuring;
  /** The file of the page. */
  readonly output: string;
  /** A day, a time, or the file of a stored report, as the user typed it. */
  readonly baseline: string | undefined;
  /** The budget of the headline's P90 in milliseconds. */
  readonly budget: number | undefined;
}

export interface ExportAction {
  readonly kind: "export";
  readonly from: EventSource;
  /** `FILE.ndjson`, `FILE.duckdb`, `FILE.parquet`, or `postgres://…`. */
  readonly target: string;
}

/** An action of `ci-dispatch metrics`: each verb has one variant, and one file in this folder. */
export type MetricsAction =
  | SyncAction
  | ImportAction
  | ExportAction
  | ReportAction
  | CompareAction
  | DashboardAction;
