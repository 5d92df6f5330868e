import { appendFile, mkdir, readFile, rm, truncate } from "node:fs/promises";
import { dirname } from "node:path";
import { ifMissing } from "@skein/reporting";
import { parseState, type SyncState } from "../sync/sync-state.js";

/** A completed step: events, and the state that was reached with them. Both are written together. */
export interface JournalEntry {
  /** Lines without newlines. */
  readonly lines: readonly string[];
  readonly state: SyncState;
}

/**
 * Appends a step. After it has returned, killing the program doesn't undo the step. If the machine itself crashes, its
 * last steps may be lost, and are repeated.
 */
export async function appendEntry(
  file: string,
  entry: JournalEntry,
): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await appendFile(file, `${JSON.stringify(entry)}\n`);
}

/**
 * Reads the steps of a process that was killed. An incomplete step was not completed, and neither were any steps after
 * it, so they are truncated.
 */
export async function readJournal(
  file: string,
): Promise<readonly JournalEntry[]> {
  const text = (await readFile(file, "utf8").catch(ifMissing)) ?? "";
  const entries: JournalEntry[] = [];
  let whole = 0;
  for (const line of text.split("\n").slice(0, -1)) {
    const entry = parseEntry(line);
    if (!entry) break;
    entries.push(entry);
    whole += Buffer.byteLength(line) + 1;
  }
  // A step that is appended to an incomplete line could not be read.
  if (whole < Buffer.byteLength(text)) await truncate(file, whole);
  return entries;
}

function parseEntry(line: string): JournalEntry | undefined {
  try {
    const { lines, state } = JSON.parse(line) as Record<string, unknown>;
    const parsed = parseState(state);
    if (!Array.isArray(lines) || !parsed) return undefined;
    if (!lines.every((each) => typeof each === "string")) return undefined;
    return { lines, state: parsed };
  } catch {
    return undefined;
  }
}

/** Removes a journal, if it exists. */
export async function removeJournal(file: string): Promise<void> {
  await rm(file, { force: true });
}
