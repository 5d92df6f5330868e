import type { DeliveryReport, RunTimes } from "@skein/delivery-metrics";

/** Everything that the page shows. */
export interface Dashboard {
  readonly report: DeliveryReport;
  /** The newest runs of the busiest workflow. */
  readonly runs: readonly RunTimes[];
  /** Where pull requests and runs are shown: `https://github.com`. */
  readonly server: string;
  /** A P90 that shall not be exceeded, drawn as a line; milliseconds, undefined for none. */
  readonly budget: number | undefined;
}
