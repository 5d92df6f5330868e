import type { Readable } from "node:stream";
import type { Via } from "./unit.js";
import type { Bins } from "./wrappers.js";

/** Records what a script does: a program that starts the script's own process, as strace does. */
export interface Launcher {
  readonly program: string;
  /** Its own arguments; the program to start and that one's arguments follow them. */
  readonly args: readonly string[];
  /** A path that nothing has. Our shell host looks for it just before it runs the script, so that the record shows where the script begins. */
  readonly marker: string;
}

/** What is needed to start one script. */
export interface Job {
  readonly script: string;
  readonly command: string;
  readonly args: readonly string[];
  /** Absolute. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** The programs that the package can call; undefined where only Yarn knows them. */
  readonly programs?: Bins;
  /** Started through this, in a process that runs nothing else. */
  readonly launcher?: Launcher;
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

/** Something that runs scripts. A port with three makes: Yarn's shell in our hosts, `yarn run`, and processes of Jest. */
export interface Executor {
  readonly via: Via;
  /** Starts one script. @throws when no process can be started at all */
  start(job: Job): RunningJob;
  /** Ends whatever it still has. */
  close(): Promise<void>;
}
