/** The first file descriptor that is a unit's pipe, after stdin, stdout, stderr and the channel. */
export const FIRST_PIPE = 4;

/** A request to run a script. A host runs one at a time. */
export interface RunRequest {
  /** The pipe for its output. */
  readonly fd: number;
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Present if the host is recorded: it looks this path up, runs the script, answers and exits. */
  readonly marker?: string;
}

/** The message that the script has ended. */
export interface RunReply {
  readonly exitCode: number;
  /** The signal that ended the last process that the script started. */
  readonly signal: string | null;
}
