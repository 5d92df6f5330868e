import { type Declare, examples } from "@skein/reporting/command-line";
import type { MetricsAction } from "../../metrics/action.js";
import { placeOf, storeOptions, type BranchFlags } from "./place.js";

interface Flags extends BranchFlags {
  readonly to: string;
  readonly store?: string;
}

/** Declares `metrics export`. */
export const addMetricsExport: Declare<MetricsAction> = (metrics, emit) => {
  const verb = metrics
    .command("export")
    .description("write the events as lines, or as tables for SQL")
    .requiredOption(
      "--to <target>",
      "FILE.ndjson (one event per line); FILE.duckdb; FILE.parquet (one file per table: FILE.pulls.parquet, …); or postgres://… (schema delivery)",
    );
  storeOptions(verb)
    .addHelpText("after", EXAMPLES)
    .action(({ to, store, ...branch }: Flags) =>
      emit({ kind: "export", target: to, from: placeOf(store, branch) }),
    );
};

const EXAMPLES = `${examples(
  "ci-dispatch metrics export --to events.ndjson",
  "ci-dispatch metrics export --to delivery.duckdb",
  "ci-dispatch metrics export --store events --to delivery.parquet",
  "PGPASSWORD=… ci-dispatch metrics export --to postgres://writer@db/delivery",
)}

DuckDB and Parquet need the package @duckdb/node-api, PostgreSQL needs pg: add
the one you need to your workspace. Earlier output is either replaced completely
or left unchanged.`;
