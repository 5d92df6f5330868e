import { mkdir, readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { replaceFile } from "@skein/reporting/replace-file";
import type { RunReport, UnitId } from "../unit.js";

/** Milliseconds by unit. */
export type Durations = ReadonlyMap<UnitId, number>;

/**
 * The weight of a new measurement. It is limited because a machine can be slow for a day, and above zero because
 * packages change.
 */
const NEW_SHARE = 0.5;

/**
 * Reads the durations of units in earlier runs. A missing or broken file counts as no history and never causes an
 * error.
 */
export async function readDurations(file: string): Promise<Durations> {
  try {
    const stored: unknown = JSON.parse(await readFile(file, "utf8"));
    const { version, units } = stored as Record<string, unknown>;
    if (version !== 1 || typeof units !== "object" || units === null)
      return new Map();
    return new Map(
      Object.entries(units).filter(
        (entry): entry is [string, number] =>
          typeof entry[1] === "number" &&
          Number.isFinite(entry[1]) &&
          entry[1] >= 0,
      ),
    );
  } catch {
    return new Map();
  }
}

/**
 * Returns earlier durations, updated with those of a run. Only units that passed count, because others may have ended
 * early.
 */
export function withRun(earlier: Durations, report: RunReport): Durations {
  const merged = new Map(earlier);
  for (const result of report.results) {
    if (result.status !== "passed" || result.replayed) continue;
    const before = merged.get(result.unit.id) ?? result.durationMs;
    merged.set(
      result.unit.id,
      Math.round(before + (result.durationMs - before) * NEW_SHARE),
    );
  }
  return merged;
}

/**
 * Writes durations, with the folders that the file needs. It writes the whole file or nothing, even if two runs end at
 * the same time.
 * @param unique a word that no other process uses, such as the process id
 */
export async function writeDurations(
  file: string,
  durations: Durations,
  unique: string,
): Promise<void> {
  const units = Object.fromEntries(
    [...durations].sort(([a], [b]) => (a < b ? -1 : 1)),
  );
  await mkdir(dirname(file), { recursive: true });
  const text = `${JSON.stringify({ version: 1, units }, null, 2)}\n`;
  await replaceFile(file, text, `${file}.${unique}`);
}
