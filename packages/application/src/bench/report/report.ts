import type { SizeResult } from "../parts/affected.js";
import type { LockfileResult } from "../parts/lockfile.js";
import type { RunResults } from "../parts/running.js";

/** The results of one run of the bench. */
export interface Report {
  readonly machine: Machine;
  /** The command line of the run. */
  readonly command: string;
  readonly runs: number;
  readonly versions: readonly string[];
  readonly sizes: readonly SizeResult[];
  readonly running: RunResults | undefined;
  readonly lockfile: LockfileResult | undefined;
}

/** The machine of the measurements. */
export interface Machine {
  readonly cores: number;
  readonly cpu: string;
  readonly platform: string;
  readonly node: string;
  readonly git: string;
  /** The load average of the last minute, before the first run and after the last. */
  readonly load: readonly [number, number];
  /** UTC, `2026-01-31 09:00`. */
  readonly date: string;
}
