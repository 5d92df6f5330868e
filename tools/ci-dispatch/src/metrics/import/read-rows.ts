import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import {
  parseEvents,
  type DeliveryEvent,
  type RecordedRow,
} from "@skein/delivery-metrics";
import { readRegularFile, usageFailure, systemWords } from "@skein/reporting";
import { unpackText } from "@skein/metrics-store";

/** The contents of recorded files. */
export interface RecordedFiles {
  readonly rows: readonly RecordedRow[];
  /** The events of files that already contain events. */
  readonly events: readonly DeliveryEvent[];
}

const NAMES = /\.((csv|json|ndjson|jsonl)(\.gz)?|ndjson\.br)$/i;

/**
 * Reads recorded rows.
 * @param paths files, or folders whose matching files are all read
 * @throws {Failure} if a file doesn't exist, or its content doesn't match its name
 */
export async function readRecordedFiles(
  paths: readonly string[],
): Promise<RecordedFiles> {
  const rows: RecordedRow[] = [];
  const events: DeliveryEvent[] = [];
  for (const file of await filesBelow(paths)) {
    const text = textOf(await readRegularFile(file), file);
    const name = file.toLowerCase().replace(/\.(gz|br)$/, "");
    if (name.endsWith(".csv")) rows.push(...(await readCsv(text, file)));
    else if (name.endsWith(".json")) rows.push(...readJson(text, file));
    else {
      const parsed = parseEvents(text);
      events.push(...parsed.events);
      const lines = text.split("\n");
      for (const { line, why } of parsed.strays)
        if (why !== "later")
          rows.push({
            row: parse(lines[line - 1] ?? "", file, line),
            url: undefined,
          });
    }
  }
  return { rows, events };
}

async function filesBelow(paths: readonly string[]): Promise<string[]> {
  const files: string[] = [];
  for (const path of paths) {
    const found = await stat(path).catch((error: unknown) => {
      throw usageFailure(`cannot be read: ${systemWords(error)}`, {
        place: { file: path },
      });
    });
    if (!found.isDirectory()) files.push(path);
    else
      for (const name of (await readdir(path)).sort())
        if (NAMES.test(name)) files.push(join(path, name));
  }
  return files;
}

function textOf(bytes: Buffer, file: string): string {
  if (file.endsWith(".br")) {
    const text = unpackText(file, bytes);
    if (text !== undefined) return text;
    throw usageFailure("the file is broken", { place: { file } });
  }
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes.toString("utf8");
  try {
    return gunzipSync(bytes).toString("utf8");
  } catch (error) {
    throw usageFailure(`the archive is broken: ${(error as Error).message}`, {
      place: { file },
    });
  }
}

/**
 * Reads a list, a response that contains one (`{"total_count": 2, "jobs": […]}`), a list of pages of either, or a
 * single row.
 */
function readJson(text: string, file: string): readonly RecordedRow[] {
  return rowsIn(parse(text, file, 1)).map((row) => ({ row, url: undefined }));
}

function rowsIn(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value.flatMap(rowsIn);
  if (typeof value !== "object" || value === null) return [];
  const lists = Object.values(value).filter(Array.isArray);
  return "total_count" in value && lists[0] ? (lists[0] as unknown[]) : [value];
}

/**
 * Reads a table with a column `data`, which contains a row as JSON, and optionally `url`, which contains the request.
 */
async function readCsv(
  text: string,
  file: string,
): Promise<readonly RecordedRow[]> {
  const { parse: parseCsv } = await import("csv-parse/sync");
  let records: readonly Readonly<Record<string, string>>[];
  try {
    records = parseCsv(text, {
      columns: true,
      bom: true,
      relax_column_count: true,
    });
  } catch (error) {
    throw usageFailure(`this isn't CSV: ${(error as Error).message}`, {
      place: { file },
    });
  }
  return records.map(({ data, url }, index) => {
    if (data === undefined)
      throw usageFailure("the column `data`, with a row as JSON, is missing", {
        place: { file, line: index + 2 },
      });
    return { row: parse(data, file, index + 2), url };
  });
}

function parse(text: string, file: string, line: number): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw usageFailure(`this isn't JSON: ${(error as Error).message}`, {
      place: { file, line },
    });
  }
}
