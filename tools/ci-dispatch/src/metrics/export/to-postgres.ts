import { Failure } from "@skein/reporting";
import { loadOptional } from "./optional.js";
import type { Cell, ColumnType, Table } from "./table.js";

const TYPES: Readonly<Record<ColumnType, string>> = {
  text: "text",
  number: "bigint",
  flag: "boolean",
  time: "timestamptz",
};
/** The maximum number of rows per insert. */
const BATCH = 5000;

/**
 * Writes the tables to the schema `delivery` in one transaction. They replace existing tables.
 * @param url the address of the database; it may contain a password, and is never printed
 * @throws {Failure} with the server's error message
 */
export async function writePostgres(
  url: string,
  tables: readonly Table[],
): Promise<void> {
  const { default: pg } = await loadOptional("pg", () => import("pg"));
  const client = new pg.Client({ connectionString: url });
  try {
    await client.connect();
    await client.query("BEGIN");
    await client.query("CREATE SCHEMA IF NOT EXISTS delivery");
    for (const { name, columns, rows } of tables) {
      const described = columns.map(
        ([column, type]) => `"${column}" ${TYPES[type]}`,
      );
      await client.query(`DROP TABLE IF EXISTS delivery.${name}`);
      await client.query(
        `CREATE TABLE delivery.${name} (${described.join(", ")})`,
      );
      const arrays = columns.map(
        ([, type], index) => `$${index + 1}::${TYPES[type]}[]`,
      );
      const insert = `INSERT INTO delivery.${name} SELECT * FROM unnest(${arrays.join(", ")})`;
      for (let at = 0; at < rows.length; at += BATCH) {
        const batch = rows.slice(at, at + BATCH);
        await client.query(
          insert,
          columns.map(([, type], index) =>
            batch.map((row) => show(row[index] ?? null, type)),
          ),
        );
      }
    }
    await client.query("COMMIT");
  } catch (error) {
    throw new Failure(`PostgreSQL: ${wordsOf(error as Error)}`, {
      hint: "nothing was changed; check the address (postgres://user@host:5432/database), and PGPASSWORD",
      cause: error,
    });
  } finally {
    await client.end().catch(() => undefined);
  }
}

function show(cell: Cell, type: ColumnType): Cell {
  return type === "time" && cell !== null
    ? new Date(Number(cell)).toISOString()
    : cell;
}

/** Returns the message of an error. If every address refused the connection, only the error's parts have messages. */
function wordsOf(
  error: Error & { readonly errors?: readonly Error[] },
): string {
  return error.errors?.[0]?.message ?? error.message;
}
