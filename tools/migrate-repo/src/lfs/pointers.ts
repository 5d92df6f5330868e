/** A file in some commit whose content is in Git LFS. */
export interface LfsPointer {
  readonly path: string;
  /** The SHA-256 of the content. */
  readonly oid: string;
  /** The number of bytes of the content. */
  readonly size: number;
}

/** Returns the objects that pointers refer to, each once. */
export function distinct(
  pointers: readonly LfsPointer[],
): readonly LfsPointer[] {
  return [...new Map(pointers.map((one) => [one.oid, one])).values()];
}
