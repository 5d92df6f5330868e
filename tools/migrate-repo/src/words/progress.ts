/** The progress of a migration. `main` decides where it is shown: on a terminal, in a log, or in a program. */
export interface Progress {
  /** Starts a phase and ends the previous one. `total` is the final value of `advance`. */
  phase(id: Phase, total?: number): void;
  /** Reports progress. @param done the part of the phase's total that is done */
  advance(done: number): void;
  /** Ends the last phase. */
  end(): void;
}

/** The phases of a migration, in order, with their titles for people. */
export const PHASES = {
  look: "Reading the workspace and the source",
  fetch: "Fetching the source",
  lfs: "Fetching objects of Git LFS",
  read: "Reading its history",
  rewrite: "Rewriting commits",
  merge: "Merging",
  "clean-up": "Cleaning up for the workspace",
  register: "Registering the package",
  prove: "Comparing every commit with its original",
  land: "Landing",
  run: "Running scripts of the package",
  pulls: "Recreating open pull requests",
} as const;

export type Phase = keyof typeof PHASES;

/** A progress that prints nothing. */
export const silent: Progress = {
  phase: () => undefined,
  advance: () => undefined,
  end: () => undefined,
};
