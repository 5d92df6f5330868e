import type { DeliveryEvent } from "@skein/delivery-metrics";

/** The types of columns. */
export type ColumnType = "text" | "number" | "flag" | "time";

/** The value of a cell; times are milliseconds since 1970. */
export type Cell = string | number | boolean | null;

/** A table to query with SQL. docs/metrics.md describes each of its columns. */
export interface Table {
  readonly name: string;
  readonly columns: readonly (readonly [name: string, type: ColumnType])[];
  readonly rows: readonly (readonly Cell[])[];
}

/** Makes one table of linked events. */
export type MakeTable = (events: readonly DeliveryEvent[]) => Table;

/** Reads columns: `pull number, package text`. */
export function columnsIn(text: string): Table["columns"] {
  return text.split(", ").map((column) => {
    const [name = "", type] = column.split(" ");
    return [name, type as ColumnType];
  });
}
