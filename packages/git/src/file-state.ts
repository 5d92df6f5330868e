import { statSync } from "node:fs";

/** The system's facts about a file, without reading it. */
export interface FileState {
  /** Bytes. */
  readonly size: number;
  /** Milliseconds since 1970, rounded down. */
  readonly modified: number;
  /** Another one for a file that was written or replaced; fit for a file's name. */
  readonly id: string;
}

/** @returns undefined where there is no such file */
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
