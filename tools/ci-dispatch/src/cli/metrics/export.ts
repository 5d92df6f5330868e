import type { Command as Program } from "commander";
import type { MetricsAction } from "../../metrics/action.js";

interface Flags {
  readonly to: string;
  readonly store?: string;
  readonly remote: string;
  readonly branch: string;
}

/** Declares `metrics export`. */
export function addMetricsExport(
  metrics: Program,
  emit: (action: MetricsAction) => void,
): void {
  metrics
    .command("export")
    .description("write the events as lines, or as tables for SQL")
    .requiredOption(
      "--to <target>",
      "FILE.ndjson (one event per line); FILE.duckdb; FILE.parquet (one file per table: FILE.pulls.parquet, …); or postgres://… (schema delivery)",
    )
    .option(
      "--store <folder>",
      "a folder of NDJSON events, plain or compressed (default: the branch ci-history)",
    )
    .option("--remote <name>", "the remote with the branch", "origin")
    .option("--branch <name>", "the branch's name", "ci-history")
    .addHelpText("after", EXAMPLES)
    .action(({ to, store, remote, branch }: Flags) =>
      emit({
        kind: "export",
        target: to,
        from:
          store === undefined
            ? { kind: "branch", remote, branch }
            : { kind: "folder", path: store },
      }),
    );
}

const EXAMPLES = `
Examples:
  $ ci-dispatch metrics export --to events.ndjson
  $ ci-dispatch metrics export --to delivery.duckdb
  $ ci-dispatch metrics export --store events --to delivery.parquet
  $ PGPASSWORD=… ci-dispatch metrics export --to postgres://writer@db.example.com/delivery

DuckDB and Parquet need the package @duckdb/node-api, PostgreSQL needs pg: add the one you need to your workspace. Earlier output is
either replaced completely or left unchanged.
`;
