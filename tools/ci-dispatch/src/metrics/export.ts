import { mkdir } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { formatEvent } from "@skein/delivery-metrics";
import {
  count,
  ExitCode,
  printable,
  usageFailure,
  systemWords,
} from "@skein/reporting";
import { replaceFile } from "@skein/reporting/replace-file";
import type { DispatchWorld } from "../world.js";
import type { ExportAction } from "./action.js";
import { makeTables } from "./export/tables.js";
import { writeDuckdb, writeParquet } from "./export/to-duckdb.js";
import { writePostgres } from "./export/to-postgres.js";
import { openEvents } from "./read-events.js";

/** Runs `ci-dispatch metrics export`. */
export async function metricsExport(
  world: DispatchWorld,
  { from, target }: ExportAction,
): Promise<number> {
  const { cwd, stdout } = world;
  const isDatabase = /^postgres(ql)?:\/\//.test(target);
  if (!isDatabase && !/\.(duckdb|parquet|ndjson)$/i.test(target))
    throw usageFailure(`${printable(target)} is not a supported target`, {
      hint: "give FILE.ndjson, FILE.duckdb, FILE.parquet, or postgres://user@host/database",
    });
  if (isDatabase && !URL.canParse(target))
    throw usageFailure("the address of the database cannot be read", {
      hint: "give postgres://user@host:5432/database",
    });
  const stored = await openEvents(world, from);
  const events = (await stored.logAt(Infinity)).events();
  const exitCode =
    stored.unread.files.length > 0 ? ExitCode.Unfinished : ExitCode.Ok;
  const file = resolve(cwd, target);
  if (!isDatabase) await makeFolder(dirname(file), target);
  if (/\.ndjson$/i.test(target)) {
    const text = events.map(formatEvent).join("");
    await replaceFile(file, text, `${file}.${world.unguessable()}`);
    stdout.write(`${count(events.length, "event")}\n`);
    return exitCode;
  }
  const tables = makeTables(events);
  if (isDatabase) await writePostgres(target, tables);
  else if (/\.duckdb$/i.test(target)) await writeDuckdb(file, tables);
  else await writeParquet(file, tables);
  for (const { name, rows } of tables)
    stdout.write(`${name} ${count(rows.length, "row")}\n`);
  return exitCode;
}

/**
 * Creates the folder of a target.
 * @param target the target, as the user typed it
 * @throws {Failure} if the folder cannot be created
 */
async function makeFolder(folder: string, target: string): Promise<void> {
  await mkdir(folder, { recursive: true }).catch((error: unknown) => {
    throw usageFailure(`cannot be written: ${systemWords(error)}`, {
      place: { file: target },
      hint: "name a file with --to, in a folder that can be created",
    });
  });
}
