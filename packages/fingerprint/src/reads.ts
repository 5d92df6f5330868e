import type { Fact, FactEdge } from "./fact.js";

/** A file that changes, as far as an edge may read it. Without a stem, more may change than files of the package. */
export type ReadFile = Pick<Fact, "stem" | "isUnread">;

/**
 * Compiles what an edge reads.
 * @returns whether a file takes effect by the edge
 */
export function compileReads({
  reads,
  readsOnly,
}: Pick<FactEdge, "reads" | "readsOnly">): (file: ReadFile) => boolean {
  if (!reads) return () => true;
  const stems = new Set(reads);
  const folders = reads.filter((each) => each.endsWith("/"));
  const ends = reads.flatMap((each) =>
    each.startsWith("*") ? [each.slice(1)] : [],
  );
  return ({ stem, isUnread = false }) =>
    stem === undefined
      ? readsOnly !== true
      : (isUnread && !readsOnly) ||
        stems.has(stem) ||
        folders.some((folder) => stem.startsWith(folder)) ||
        ends.some((end) => stem.endsWith(end));
}
