/**
 * The file descriptor of the channel between the host and its parent, with one line of JSON per message. It is the one
 * after stdin, stdout and stderr.
 */
export const CHANNEL = 3;

/** A request to run Jest for a package. A host runs one at a time. */
export interface HostRequest {
  /** The package's folder. Absolute, links resolved. */
  readonly cwd: string;
  /** The whole environment for Jest. */
  readonly env: Readonly<Record<string, string>>;
  /** Jest's arguments. */
  readonly args: readonly string[];
  /** The line that the host prints after all output of the run. */
  readonly end: string;
}

/** The result of a run. */
export interface HostReply {
  /** The exit code that Jest would have had alone. */
  readonly exitCode: number;
  /** Why the result must not count; null if it does. */
  readonly again: string | null;
  /** Why the host must not run anything else; null if its process is as it was before. */
  readonly spent: string | null;
  /** The memory of the process, in bytes. */
  readonly rss: number;
}
