/** The file descriptor through which the host and its parent talk, a line of JSON each: after stdin, stdout and stderr. */
export const CHANNEL = 3;

/** Run Jest for this package now. A host runs one at a time. */
export interface HostRequest {
  /** The package's folder. Absolute, links resolved. */
  readonly cwd: string;
  /** The whole environment that Jest gets. */
  readonly env: Readonly<Record<string, string>>;
  /** Jest's arguments. */
  readonly args: readonly string[];
  /** What the host prints after everything that the run printed. */
  readonly end: string;
}

/** How a run went. */
export interface HostReply {
  /** As Jest alone would have exited. */
  readonly exitCode: number;
  /** Why the result must not count; null where it does. */
  readonly again: string | null;
  /** Why the host must run nothing more; null where its process is as it was before. */
  readonly spent: string | null;
  /** Bytes of memory that the process has. */
  readonly rss: number;
}
