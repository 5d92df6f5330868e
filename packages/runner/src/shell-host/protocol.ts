/** The first file descriptor that is a unit's pipe: after stdin, stdout, stderr and the channel. */
export const FIRST_PIPE = 4;

/** Run this script now. A host runs one at a time. */
export interface RunRequest {
  /** The pipe for what it prints. */
  readonly fd: number;
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Present where the host is recorded: it looks for this path, runs the script, answers and exits. */
  readonly marker?: string;
}

/** The script has ended. */
export interface RunReply {
  readonly exitCode: number;
  /** The signal that ended the last process it started. */
  readonly signal: string | null;
}
