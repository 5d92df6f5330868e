import { mkdir, readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { replaceFile } from "@skein/reporting/replace-file";
import type { RunReport, UnitId } from "./unit.js";

/** Milliseconds by unit. */
export type Durations = ReadonlyMap<UnitId, number>;

/** How much a new measurement counts: a machine has bad days, and a package changes. */
const NEW_SHARE = 0.5;

/** Reads what units took in earlier runs. A file that is missing or broken is no history, never an error. */
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

/** Earlier durations with those of a run. Only a unit that passed took as long as it takes. */
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
 * Writes durations, with the folders it needs; whole or not at all, also when two runs end at once.
 * @param unique a word no other process uses, such as the process id
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
