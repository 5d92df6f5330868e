import type { Readable } from "node:stream";
import type { Via } from "./unit.js";

/** What is needed to start one script. */
export interface Job {
  readonly script: string;
  readonly command: string;
  readonly args: readonly string[];
  /** Absolute. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** How a script ended by itself. */
export interface JobEnd {
  /** Undefined where its shell was killed or could not be started. */
  readonly exitCode: number | undefined;
  readonly signal: string | undefined;
  /** Why there is no exit code. */
  readonly detail?: string;
  /** True where it left processes behind that were then ended. */
  readonly leftBehind: boolean;
}

/** A script under way. */
export interface RunningJob {
  readonly outputs: readonly Readable[];
  /** Resolves when the script has ended and everything it printed has been read. Never rejects. */
  readonly ended: Promise<JobEnd>;
  /** Ends the script with everything it started. Resolves when nothing of it is left; `ended` resolves before. */
  stop(): Promise<void>;
}

/** Something that runs scripts. A port with two makes: Yarn's shell in our hosts, and `yarn run`. */
export interface Executor {
  readonly via: Via;
  /** Starts one script. @throws when no process can be started at all */
  start(job: Job): RunningJob;
  /** Ends whatever it still has. */
  close(): Promise<void>;
}
