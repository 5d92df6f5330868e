/** A file of the store. */
export interface StoredFile {
  readonly path: string;
  readonly bytes: number;
  /** When it was last used, in milliseconds since 1970. */
  readonly usedAt: number;
}

/** The share of the limit that remains after pruning, so that the next run doesn't prune again. */
const REST = 0.8;

/**
 * Returns the files to delete so that the others are within the limit: the least recently used ones. Pure. A result is
 * never used later than its blobs, so it is deleted no later than a blob that it needs.
 * @param most the limit in bytes
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
  // Files that were used at the same time are deleted together.
  const cutoff = oldest[last - 1]?.usedAt ?? 0;
  return oldest.filter(({ usedAt }) => usedAt <= cutoff);
}
