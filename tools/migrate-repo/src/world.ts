import type { CliWorld } from "@skein/reporting";
import type { Progress } from "./progress.js";

/** What a migration knows of the process it runs in. */
export interface MigrateWorld extends CliWorld {
  readonly pid: number;
  /** Whether a process of that id runs on this machine. */
  readonly isAlive: (pid: number) => boolean;
  readonly progress: Progress;
  /** Called before each step of a landing; tests stop there. */
  readonly checkpoint: (step: string) => void;
}
