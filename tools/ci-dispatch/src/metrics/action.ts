import type { Until } from "@skein/delivery-metrics";

/** Where events are read from. */
export type EventSource =
  | { readonly kind: "folder"; readonly path: string }
  | {
      readonly kind: "branch";
      readonly remote: string;
      readonly branch: string;
    };

/** What is measured, and when. */
export interface Measuring {
  readonly from: EventSource;
  /** The window's length. */
  readonly days: number;
  /** A day or a time, as it was typed; undefined: the present. */
  readonly asOf: string | undefined;
  /** Undefined for the farthest that is known. */
  readonly until: Until | undefined;
  readonly package: string | undefined;
  readonly team: string | undefined;
  readonly bots: boolean;
  readonly minimum: number;
}

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
  /** A day, a time, or a kept report's file, as it was typed. */
  readonly baseline: string | undefined;
  /** Milliseconds of the headline's P90; more than these is exit code 1. */
  readonly failAbove: number | undefined;
  readonly format: ReportFormat;
}

export interface CompareAction {
  readonly kind: "compare";
  readonly measuring: Measuring;
  readonly before: string;
  /** At least one. */
  readonly after: readonly string[];
  /** Sum stage P90s, as LinkedIn's model does. */
  readonly stages: boolean;
  readonly json: boolean;
}

export interface SyncAction {
  readonly kind: "sync";
  /** Where events are kept. */
  readonly to: EventSource;
  /** `owner/name`; undefined for the repository that this is a clone of. */
  readonly repository: string | undefined;
  /** `8w`, or a date. */
  readonly since: string;
  /** Requests that may be made; undefined for as many as GitHub allows. */
  readonly budget: number | undefined;
  /** Wait for more requests where the hour's are used up. */
  readonly wait: boolean;
  readonly json: boolean;
}

export interface ImportAction {
  readonly kind: "import";
  /** Where events are kept. */
  readonly to: EventSource;
  /** `owner/name`, where the rows do not tell. */
  readonly repository: string | undefined;
  /** Files and folders. */
  readonly paths: readonly string[];
}

export interface DashboardAction {
  readonly kind: "dashboard";
  readonly measuring: Measuring;
  /** The page's file. */
  readonly output: string;
  /** A day, a time, or a kept report's file, as it was typed. */
  readonly baseline: string | undefined;
  /** Milliseconds. */
  readonly budget: number | undefined;
}

export interface ExportAction {
  readonly kind: "export";
  readonly from: EventSource;
  /** `FILE.ndjson`, `FILE.duckdb`, `FILE.parquet`, or `postgres://…`. */
  readonly target: string;
}

/** What is to be done with the metrics: one variant, and one file here, for each verb. */
export type MetricsAction =
  | SyncAction
  | ImportAction
  | ExportAction
  | ReportAction
  | CompareAction
  | DashboardAction;
