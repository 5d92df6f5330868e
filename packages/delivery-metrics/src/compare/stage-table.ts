import { parseDuration } from "./duration.js";

/** P90s by stage, written by hand. */
export interface StageTable {
  readonly version: 1;
  /** Milliseconds by stage, in the order of the file. */
  readonly stages: ReadonlyMap<string, number>;
}

/** An error for an invalid stage table. The message contains the place. */
export class StageTableError extends Error {
  override readonly name = "StageTableError";
}

/**
 * Parses `{ "version": 1, "stages": { "package tests": "18.63 min" } }`.
 * @throws {StageTableError}
 */
export function parseStageTable(value: unknown): StageTable {
  const { version, stages } = (value ?? {}) as Record<string, unknown>;
  if (version !== 1) throw new StageTableError("version is not 1");
  if (typeof stages !== "object" || stages === null || Array.isArray(stages))
    throw new StageTableError("stages is not an object");
  const table = new Map<string, number>();
  for (const [name, span] of Object.entries(stages)) {
    const ms = typeof span === "string" ? parseDuration(span) : undefined;
    if (ms === undefined)
      throw new StageTableError(
        `stages.${name} is not a duration, such as "18.63 min" or "1.55 d"`,
      );
    table.set(name, ms);
  }
  if (table.size === 0) throw new StageTableError("stages is empty");
  return { version, stages: table };
}

/**
 * Returns the sum of stage P90s, which is LinkedIn's model of a pipeline ("commit-to-publish" of its earlier multi-repo
 * was such a sum). P90s are not additive: the sum exceeds the P90 of the total unless the same changes are slow in
 * every stage. The result must only be shown with that name.
 */
export function linkedInModel({ stages }: Pick<StageTable, "stages">): number {
  return [...stages.values()].reduce((sum, ms) => sum + ms, 0);
}
