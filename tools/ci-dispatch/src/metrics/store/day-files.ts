import { gunzipSync, gzipSync } from "node:zlib";
import type { StoredFiles } from "./store.js";

/** `delivery-2026-01-31.ndjson.gz`, and for a day whose file is broken `delivery-2026-01-31.1.ndjson.gz`. */
const NAME = /^delivery-(\d{4}-\d{2}-\d{2})(?:\.(\d+))?\.ndjson\.gz$/;

/** The day that a file holds, by UTC; undefined for any other file. */
export function dayOfName(name: string): string | undefined {
  return NAME.exec(name)?.[1];
}

function nameOf(day: string, turn: number): string {
  return `delivery-${day}${turn === 0 ? "" : `.${turn}`}.ndjson.gz`;
}

/** The text of a gzip file; undefined where it is broken. */
export function unpackText(bytes: Buffer): string | undefined {
  try {
    return gunzipSync(bytes).toString("utf8");
  } catch {
    return undefined;
  }
}

export function packText(text: string): Buffer {
  return gzipSync(text, { level: 9 });
}

/** What the days' files hold, in order of day. */
export interface StoredText {
  readonly texts: readonly string[];
  /** Files that are no gzip: they are passed over, and left as they are. */
  readonly broken: readonly string[];
}

/** Reads the files of all days. @param from only of this day and later ones */
export async function readDays(
  files: StoredFiles,
  from = "",
): Promise<StoredText> {
  const texts: string[] = [];
  const broken: string[] = [];
  const names = files.names.filter((name) => (dayOfName(name) ?? "") >= from);
  for (const name of names.filter(dayOfName).sort(byDayThenTurn)) {
    const bytes = await files.read(name);
    const text = bytes && unpackText(bytes);
    if (text === undefined) broken.push(name);
    else texts.push(text);
  }
  return { texts, broken };
}

function byDayThenTurn(a: string, b: string): number {
  const [x, y] = [NAME.exec(a), NAME.exec(b)];
  const days = (x?.[1] ?? "").localeCompare(y?.[1] ?? "");
  return days === 0 ? Number(x?.[2] ?? 0) - Number(y?.[2] ?? 0) : days;
}

/**
 * The files that change where lines are added at the end of their days. A line that is there already, to the letter, is not added
 * again; a day's file that is broken stays as it is, and another one is begun.
 * @param lines by day, each without its newline
 */
export async function withLines(
  files: StoredFiles,
  lines: ReadonlyMap<string, readonly string[]>,
): Promise<ReadonlyMap<string, Buffer>> {
  const changed = new Map<string, Buffer>();
  for (const [day, added] of lines) {
    for (let turn = 0; ; turn++) {
      const name = nameOf(day, turn);
      const bytes = await files.read(name);
      const text = bytes === undefined ? "" : unpackText(bytes);
      if (text === undefined) continue;
      const known = new Set(text.split("\n"));
      const fresh = added.filter((line) => !known.has(line));
      const whole = text === "" || text.endsWith("\n") ? text : `${text}\n`;
      if (fresh.length > 0)
        changed.set(name, packText(`${whole}${fresh.join("\n")}\n`));
      break;
    }
  }
  return changed;
}
