import type { CliWorld } from "@skein/reporting";
import type { NodeProcess } from "@skein/runner";
import type { Progress } from "./words/progress.js";

/** How a command answers: people get the words; a program that asked for `--json` gets the events. */
export type Tell = (words: string, ...events: readonly object[]) => void;

/** The process that a migration runs in. */
export interface MigrateWorld extends CliWorld {
  readonly pid: number;
  /** Whether a process of that id runs on this machine. */
  readonly isAlive: (pid: number) => boolean;
  /** Runs the scripts of packages. */
  readonly node: NodeProcess;
  readonly progress: Progress;
  /** Called before each step of a landing; tests stop there. */
  readonly checkpoint: (step: string) => void;
  readonly tell: Tell;
}

/** The same before it is known who listens. */
export type SilentWorld = Omit<MigrateWorld, "tell">;
