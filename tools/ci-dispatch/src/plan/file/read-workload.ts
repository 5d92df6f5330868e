import type { Workload } from "@skein/delivery-metrics";
import type { Members } from "@skein/reporting/json";

/** Reads the workload of jobs. @throws {Malformed} */
export function readWorkload(of: Members): Workload {
  return {
    jobs: of.whole("jobs"),
    units: of.whole("units"),
    machineMs: of.whole("machineMs"),
  };
}
