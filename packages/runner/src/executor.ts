import type { Readable } from "node:stream";
import type { Kill } from "./process-group.js";
import type { Via } from "./unit.js";
import type { Bins } from "./yarn/wrappers.js";

/** A program that starts a script's process and records what it does, such as strace. */
export interface Launcher {
  readonly program: string;
  /** The launcher's own arguments. The program to start and its arguments follow them. */
  readonly args: readonly string[];
  /**
   * A path that doesn't exist. Our shell host looks it up just before it runs the script, so that the recording shows
   * where the script begins.
   */
  readonly marker: string;
}

/** The description of one script to start. */
export interface Job {
  readonly script: string;
  readonly command: string;
  readonly args: readonly string[];
  /** Absolute. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** The programs that the package can call; undefined if only Yarn can find them. */
  readonly programs?: Bins;
  /** If set, the script starts through this program, in a process that runs nothing else. */
  readonly launcher?: Launcher;
}

/** How a script ended by itself. */
export interface JobEnd {
  /** Undefined if its shell was killed or could not be started. */
  readonly exitCode: number | undefined;
  readonly signal: string | undefined;
  /** Why there is no exit code. */
  readonly detail?: string;
  /** Whether it left processes behind that were then ended. */
  readonly leftBehind: boolean;
}

/** A running script. */
export interface RunningJob {
  readonly outputs: readonly Readable[];
  /** Resolves when the script has ended and all of its output has been read. Never rejects. */
  readonly ended: Promise<JobEnd>;
  /**
   * Ends the script with everything that it started. Resolves when none of its processes is left; `ended` resolves
   * earlier.
   */
  stop(): Promise<void>;
}

/**
 * A port that runs scripts. It has three implementations: Yarn's shell in our hosts, `yarn run`, and shared processes of Jest.
 */
export interface Executor {
  readonly via: Via;
  /** Starts one script. @throws if no process can be started at all */
  start(job: Job): RunningJob;
  /** Ends all processes that are left. */
  close(): Promise<void>;
}

export interface SharedExecutorOptions {
  /** The Node that runs the hosts. */
  readonly execPath: string;
  readonly kill: Kill;
  readonly graceMs: number;
  /** The number of units that run at the same time, and so the maximum number of open hosts. */
  readonly concurrency: number;
}

/** Runs one program for several packages in processes that have already loaded it. `batch.ts` lists the programs. */
export interface SharedExecutor extends Executor {
  /** Returns whether a job may run here. Otherwise it needs its own process. */
  takes(job: Job): boolean;
}
