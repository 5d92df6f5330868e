import { statSync } from "node:fs";

/** The metadata of a file. Its content is not read. */
export interface FileState {
  /** In bytes. */
  readonly size: number;
  /** Milliseconds since 1970, rounded down. */
  readonly modified: number;
  /** An id that changes when the file is written or replaced. It is a valid file name. */
  readonly id: string;
}

/** Returns the state of a file; undefined if it doesn't exist. */
export function fileState(path: string): FileState | undefined {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  return (
    stat && {
      size: Number(stat.size),
      modified: Number(stat.mtimeMs),
      id: [stat.ino, stat.size, stat.mtimeNs, stat.ctimeNs].join("-"),
    }
  );
}
