import type { CliWorld } from "@skein/reporting";
import type { NodeProcess } from "@skein/runner";
import type { Progress } from "./words/progress.js";

/** Prints an answer: the words for people, or the events for a program that requested `--json`. */
export type Print = (words: string, ...events: readonly object[]) => void;

/** The process in which a migration runs. */
export interface MigrateWorld extends CliWorld {
  readonly pid: number;
  /** Returns whether a process with that id runs on this machine. */
  readonly isAlive: (pid: number) => boolean;
  /** Runs the scripts of packages. */
  readonly node: NodeProcess;
  readonly progress: Progress;
  /** Called before each step of a landing; a test stops there. */
  readonly checkpoint: (step: string) => void;
  readonly print: Print;
}

/** The same, before the kind of output is known. */
export type SilentWorld = Omit<MigrateWorld, "print">;
