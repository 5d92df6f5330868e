/**
 * The nouns of `migrate-repo`, with one sentence each. A *migration* adds a *source* repository to a *target* workspace
 * at one or more *placements*; its plan is decided from facts, built in a *quarantine*, and *landed* at once.
 */

/** How the source's history is migrated. */
export type HistoryMode =
  /** Every commit is rewritten to live below the destination. Ids change; log, blame and follow are complete. */
  | "graft"
  /** Commits and signatures don't change; one commit moves the files. `git log -- path` stops there. */
  | "move"
  /** One commit holds the current files. */
  | "squash";

/** A folder (or file) of the source, and its destination. */
export interface Placement {
  /** The path in the source; `""` is the whole repository. */
  readonly from: string;
  /** The path in the target, with `/` between its parts. */
  readonly to: string;
}

/** The address of a source. */
export interface SourceAddress {
  readonly kind: "url" | "folder";
  /** The address for git, without credentials. */
  readonly fetchFrom: string;
  /** The address for people, commits and records, without credentials and, if possible, without local paths. */
  readonly shown: string;
  /** `owner/name`, if the source is on GitHub. */
  readonly slug: string | undefined;
  /** Credentials from the URL: `user:password`. They are passed only to git, through its environment. */
  readonly credentials: string | undefined;
}

/** The permissions beyond the safe defaults. */
export const PERMISSIONS = [
  "non-package",
  "secrets",
  "submodules",
  "lfs",
  "protected-branch",
] as const;

/** A request for one migration. */
export interface MigrationRequest {
  readonly source: string;
  readonly to: string | undefined;
  /** The package's name; default: the name in its package.json. */
  readonly name: string | undefined;
  /** The branch of the source; default: the branch that HEAD names. */
  readonly ref: string | undefined;
  readonly history: HistoryMode;
  /** `PATH` or `PATH=DESTINATION`; an empty list means everything. */
  readonly only: readonly string[];
  /** Globs of branches to migrate in addition to the chosen one. */
  readonly branches: readonly string[];
  readonly tags: "reachable" | "all" | "none";
  /** `{name}`, `{version}` (a tag without its `v`), `{tag}`. */
  readonly tagFormat: string;
  /** `owner/repo` to qualify bare `#123` in messages; undefined leaves messages unchanged. */
  readonly qualifyRefs: string | undefined;
  /**
   * Whether to add `Migrated-From: <url>@<commit>` to each message. Off by default, because it would change every
   * commit id.
   */
  readonly trailer: boolean;
  /** Whether to keep the source's own commits below `refs/migrate/<name>/`. */
  readonly keepOriginals: boolean;
  readonly allow: readonly (typeof PERMISSIONS)[number][];
  /** In bytes; a history with a larger file is refused. */
  readonly maxFileSize: number;
  /** Clean-up steps that are turned off, by id. */
  readonly skip: readonly string[];
  readonly versions: "conform" | "keep" | "highest";
  /** Whether Yarn installs in a temporary checkout to update yarn.lock. */
  readonly install: boolean;
  /** Scripts of the package to run after the landing. */
  readonly run: readonly string[];
  /** Whether to list the source's open pull requests. */
  readonly prs: boolean;
  /** Whether to list them, and recreate their branches on the grafted history. */
  readonly transplant: boolean;
  /** `owner/name` on GitHub, if the source's address doesn't contain it. */
  readonly github: string | undefined;
  /** Whether to register the package in the workspace (globs, versions, `yarn install`). */
  readonly register: boolean;
}

/** A ref of the source, as announced. */
export interface SourceRef {
  readonly name: string;
  readonly id: string;
  /** The commit of an annotated tag; undefined for other refs. */
  readonly peeled: string | undefined;
}

/** A tag of the source and its new name. */
export interface TagPlan extends NamedRef {
  readonly commit: string;
  readonly annotated: boolean;
}

/** A branch of the source to migrate, and its new name. */
export type BranchPlan = NamedRef;

/** A ref of the source, its name in the target, and an object. */
export interface NamedRef {
  readonly from: string;
  readonly to: string;
  readonly id: string;
}

/** The work of a clean-up step and its reason, for people. */
export interface StepPlan {
  readonly id: string;
  readonly what: readonly string[];
  readonly why: string;
}

/** A commit and its new commit. Lists are in topological order, parents first. */
export interface MappedCommit {
  readonly old: string;
  /** Undefined if the commit touches nothing that is migrated and has no kept ancestor. */
  readonly new: string | undefined;
}

/** The figures of a rewrite, for the report. */
export interface HistoryFigures {
  readonly commits: number;
  readonly merges: number;
  readonly authors: number;
  /** Signatures that were removed. */
  readonly signatures: number;
  /** Commits that were dropped because they touch nothing below the chosen paths. */
  readonly pruned: number;
  /** Fixed author or committer lines that git itself would not accept. */
  readonly mended: number;
  /** Messages in which `#123` was qualified. */
  readonly qualified: number;
}
