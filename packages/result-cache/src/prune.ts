/** A file of the store. */
export interface StoredFile {
  readonly path: string;
  readonly bytes: number;
  /** When it was used last, in milliseconds since 1970. */
  readonly usedAt: number;
}

/** What is left after pruning, so that the next run does not prune again: a share of the bound. */
const REST = 0.8;

/**
 * Returns the files that go so that the others are within the bound: those that were used least recently. Pure. A result
 * is never used later than its blobs, so a result goes no later than a blob that it needs.
 * @param most bytes
 */
export function filesToPrune(
  files: readonly StoredFile[],
  most: number,
): readonly StoredFile[] {
  let bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  if (bytes <= most) return [];
  const oldest = [...files].sort((a, b) => a.usedAt - b.usedAt);
  let last = 0;
  while (last < oldest.length && bytes > most * REST)
    bytes -= oldest[last++]?.bytes ?? 0;
  // Whatever was used in the same moment goes together.
  const cutoff = oldest[last - 1]?.usedAt ?? 0;
  return oldest.filter(({ usedAt }) => usedAt <= cutoff);
}
