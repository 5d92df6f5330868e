import type { DeliveryReport, RunTimes } from "@skein/delivery-metrics";

/** The data that the page shows. */
export interface Dashboard {
  readonly report: DeliveryReport;
  /** The newest runs of the busiest workflow. */
  readonly runs: readonly RunTimes[];
  /** The address of the server to link pull requests and runs to: `https://github.com`. */
  readonly server: string;
  /** The budget of the P90 in milliseconds, drawn as a line; undefined for none. */
  readonly budget: number | undefined;
}
