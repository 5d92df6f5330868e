import type { Engine } from "@skein/ci";

/** The whole input of `affected init`, as data. The plan depends on nothing else. */
export interface Look {
  /** Our own version. */
  readonly version: string;
  /** The range for the new devDependencies. If undefined, an existing range stays, and a new one is our version. */
  readonly range: string | undefined;
  /** The text of the Yarn plugin, if it is to be installed. */
  readonly plugin: string | undefined;
  /** The CI engine of the workspace. */
  readonly engine: Engine;
  /** The commit to which the workflows are pinned. */
  readonly pin: string;
  /** The name of the default branch. Untrusted text. */
  readonly defaultBranch: string;
  /** Whether Skein finds the default branch. If not, `defaultBranch` is the current branch, or `main`. */
  readonly isBranchFound: boolean;
  /** Whether the workspace is at the top of the repository, the only place where GitHub reads workflows. */
  readonly isTop: boolean;
  readonly packages: readonly LookPackage[];
  /** The tracked files that no package owns, relative to the root. */
  readonly unowned: readonly string[];
  /** The texts of the files that matter, by their paths from the root. It contains only existing files. */
  readonly files: Readonly<Record<string, string>>;
}

/** A package of the workspace. */
export interface LookPackage {
  readonly name: string;
  /** The folder, relative to the root; `.` is the root. */
  readonly dir: string;
  readonly scripts: Readonly<Record<string, string>>;
}

/** The changes that init would make. None of them is made yet. */
export interface InitPlan {
  readonly files: readonly PlannedFile[];
  /** The files that init leaves alone, each with the reason. */
  readonly kept: readonly KeptFile[];
  /** The name of the check to require; undefined if no workflow is written. */
  readonly check: string | undefined;
  /** The tool whose settings were adopted; undefined for none. */
  readonly peer: Knowledge["tool"] | undefined;
  /** Sentences for the user. */
  readonly notes: readonly string[];
}

export interface PlannedFile {
  readonly path: string;
  /** Undefined for a new file. */
  readonly before: string | undefined;
  readonly after: string;
  readonly why: string;
}

export interface KeptFile {
  readonly path: string;
  readonly why: string;
  /** Whether something in it should be changed by hand. `--check` reports it. */
  readonly isStale: boolean;
}

/** The contents of another tool's settings, in the form of skein.json. */
export interface Knowledge {
  readonly tool: "turbo" | "nx" | "lage";
  /** The file with these settings. */
  readonly file: string;
  readonly pipeline: Readonly<Record<string, readonly string[]>>;
  readonly inputs: Readonly<Record<string, readonly string[]>>;
  readonly implicitDependencies: Readonly<Record<string, readonly string[]>>;
  /** Globs of files that no package owns and that affect everything. */
  readonly everything: readonly string[];
  /** The settings that were not adopted, each with the reason. */
  readonly notes: readonly string[];
}
