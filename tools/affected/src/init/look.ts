import type { Engine } from "@skein/ci";

/** All that `affected init` looks at, as data: the plan is made of nothing else. */
export interface Look {
  /** Our own version. */
  readonly version: string;
  /** Range of the devDependencies that are written; undefined keeps one that is there, and else means our version. */
  readonly range: string | undefined;
  /** Whether the Yarn plugin is wanted: its text. */
  readonly plugin: string | undefined;
  /** The engine that pipelines are written for. */
  readonly engine: Engine;
  /** The commit that the workflows are pinned by. */
  readonly pin: string;
  /** Name of the default branch. Untrusted text. */
  readonly defaultBranch: string;
  /** Whether git or the remote names another default branch than Skein would find. */
  readonly isBranchFound: boolean;
  /** Whether the workspace is the whole repository; workflows are read at the repository's top only. */
  readonly isTop: boolean;
  readonly packages: readonly LookPackage[];
  /** Files that no package owns, from the root, as git tracks them. */
  readonly unowned: readonly string[];
  /** Texts of the files that matter, by their paths from the root; those that are not there are left out. */
  readonly files: Readonly<Record<string, string>>;
}

/** A package of the workspace. */
export interface LookPackage {
  readonly name: string;
  /** From the root; `.` is the root. */
  readonly dir: string;
  readonly scripts: Readonly<Record<string, string>>;
}

/** What is to be done. Nothing of it is done yet. */
export interface InitPlan {
  readonly files: readonly PlannedFile[];
  /** Files that init leaves alone, each with the reason. */
  readonly kept: readonly KeptFile[];
  /** Name of the check to require; undefined where no workflow is written. */
  readonly check: string | undefined;
  /** The tool whose settings were taken over; undefined for none. */
  readonly peer: Knowledge["tool"] | undefined;
  /** What a person should know, in sentences. */
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
  /** Whether something in it should be changed by hand: `--check` reports it. */
  readonly isStale: boolean;
}

/** What another tool's settings say, in the form of skein.json. */
export interface Knowledge {
  readonly tool: "turbo" | "nx" | "lage";
  /** Where it stands. */
  readonly file: string;
  readonly pipeline: Readonly<Record<string, readonly string[]>>;
  readonly inputs: Readonly<Record<string, readonly string[]>>;
  readonly implicitDependencies: Readonly<Record<string, readonly string[]>>;
  /** Globs of files that no package owns and that affect everything. */
  readonly everything: readonly string[];
  /** What is not taken over, each with the reason. */
  readonly notes: readonly string[];
}
