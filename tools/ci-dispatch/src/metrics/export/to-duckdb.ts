import type { DuckDBConnection } from "@duckdb/node-api";
import { replaceFilesBy } from "@skein/reporting/replace-file";
import { loadOptional } from "./optional.js";
import type { Cell, ColumnType, Table } from "./table.js";

const TYPES: Readonly<Record<ColumnType, string>> = {
  text: "VARCHAR",
  number: "BIGINT",
  flag: "BOOLEAN",
  time: "TIMESTAMPTZ",
};

/** Writes a database file. If that fails, the old file stays. */
export async function writeDuckdb(
  file: string,
  tables: readonly Table[],
): Promise<void> {
  await replaceFilesBy([file], (draftOf) =>
    inDatabase(draftOf(file), async (connection) => {
      for (const table of tables) await fill(connection, table);
    }),
  );
}

/**
 * Writes a Parquet file for each table: `delivery.parquet` becomes `delivery.pulls.parquet`, and so on. If that fails, all
 * old files stay.
 */
export async function writeParquet(
  file: string,
  tables: readonly Table[],
): Promise<void> {
  const fileOf = ({ name }: Table) =>
    file.replace(/\.parquet$/i, `.${name}.parquet`);
  const [first, ...rest] = tables.map(fileOf);
  if (first === undefined) return;
  await replaceFilesBy([first, ...rest], (draftOf) =>
    inDatabase(":memory:", async (connection) => {
      for (const table of tables) {
        await fill(connection, table);
        const draft = draftOf(fileOf(table)).replaceAll("'", "''");
        await connection.run(
          `COPY ${table.name} TO '${draft}' (FORMAT parquet)`,
        );
      }
    }),
  );
}

async function inDatabase(
  path: string,
  body: (connection: DuckDBConnection) => Promise<void>,
): Promise<void> {
  const { DuckDBInstance } = await loadOptional(
    "@duckdb/node-api",
    () => import("@duckdb/node-api"),
  );
  const instance = await DuckDBInstance.create(path);
  const connection = await instance.connect();
  try {
    await body(connection);
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

async function fill(
  connection: DuckDBConnection,
  { name, columns, rows }: Table,
): Promise<void> {
  const { DuckDBTimestampTZValue } = await import("@duckdb/node-api");
  const described = columns.map(
    ([column, type]) => `"${column}" ${TYPES[type]}`,
  );
  await connection.run(`CREATE TABLE ${name} (${described.join(", ")})`);
  const appender = await connection.createAppender(name);
  const append = (cell: Cell, type: ColumnType | undefined) => {
    if (cell === null) appender.appendNull();
    else if (type === "time")
      appender.appendTimestampTZ(
        new DuckDBTimestampTZValue(BigInt(Number(cell)) * 1000n),
      );
    else if (typeof cell === "number") appender.appendBigInt(BigInt(cell));
    else if (typeof cell === "boolean") appender.appendBoolean(cell);
    else appender.appendVarchar(cell);
  };
  for (const row of rows) {
    for (const [index, cell] of row.entries())
      append(cell, columns[index]?.[1]);
    appender.endRow();
  }
  appender.closeSync();
}
