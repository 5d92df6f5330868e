/** The progress of a migration. `main` decides where it goes: to a terminal, a log, or a program. */
export interface Progress {
  /** A phase begins; the one before has ended. `total` counts what `advance` counts. */
  phase(id: Phase, total?: number): void;
  /** @param done how many of the phase's total */
  advance(done: number): void;
  /** The last phase has ended. */
  end(): void;
}

/** The phases of a migration, in order. */
export type Phase =
  | "look"
  | "fetch"
  | "lfs"
  | "read"
  | "rewrite"
  | "merge"
  | "clean-up"
  | "register"
  | "prove"
  | "land"
  | "run"
  | "pulls";

export const PHASES: Readonly<Record<Phase, string>> = {
  look: "Looking at the workspace and the source",
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
  pulls: "Bringing open pull requests",
};

/** Says nothing. */
export const silent: Progress = {
  phase: () => undefined,
  advance: () => undefined,
  end: () => undefined,
};
