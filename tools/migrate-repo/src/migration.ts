/**
 * The nouns of `migrate-repo`, a sentence each. A *migration* brings a *source* repository into a *target*
 * workspace at one or more *placements*; its plan is decided from facts, built in a *quarantine*, and *landed* at once.
 */

/** How the source's history comes along. */
export type HistoryMode =
  /** Every commit rewritten to live below the destination. Ids change; log, blame and follow are whole. */
  | "graft"
  /** Commits and signatures kept as they are; one commit moves the files. `git log -- path` stops there. */
  | "move"
  /** One commit with the files as they are now. */
  | "squash";

/** Which tags come along. */
export type TagChoice = "reachable" | "all" | "none";

/** A folder (or file) of the source, and where it goes. */
export interface Placement {
  /** Path in the source; `""` is the whole repository. */
  readonly from: string;
  /** Path in the target, `/` between its parts. */
  readonly to: string;
}

/** Where a source is fetched from. */
export interface SourceAddress {
  readonly kind: "url" | "folder";
  /** The address that git gets; without credentials. */
  readonly fetchFrom: string;
  /** The address for people, commits and records; without credentials and, where possible, without a path of one machine. */
  readonly shown: string;
  /** `owner/name` where the source is on GitHub. */
  readonly slug: string | undefined;
  /** Credentials that stood in the URL: `user:password`. They go to git through its environment and nowhere else. */
  readonly credentials: string | undefined;
}

/** A permission beyond the safe defaults. */
export type Permission =
  "non-package" | "secrets" | "submodules" | "lfs" | "protected-branch";

/** A request for one migration. */
export interface MigrationRequest {
  readonly source: string;
  readonly to: string | undefined;
  /** The package's name; default: its package.json's. */
  readonly name: string | undefined;
  /** The branch of the source; default: the one its HEAD names. */
  readonly ref: string | undefined;
  readonly history: HistoryMode;
  /** `PATH` or `PATH=DESTINATION`; empty: everything. */
  readonly only: readonly string[];
  /** Globs of branches that come along beside the chosen one. */
  readonly branches: readonly string[];
  readonly tags: TagChoice;
  /** `{name}`, `{version}` (a tag without its `v`), `{tag}`. */
  readonly tagFormat: string;
  /** `owner/repo` that bare `#123` in messages are qualified with; undefined leaves messages as they are. */
  readonly qualifyRefs: string | undefined;
  /** Adds `Migrated-From: <url>@<commit>` to each message. Off by default: it would change every commit id. */
  readonly trailer: boolean;
  /** Keep the source's own commits below `refs/migrate/<name>/`. */
  readonly keepOriginals: boolean;
  readonly allow: readonly Permission[];
  /** Bytes; a larger file anywhere in the history is refused. */
  readonly maxFileSize: number;
  /** Clean-up steps that are turned off, by id. */
  readonly skip: readonly string[];
  readonly versions: "conform" | "keep" | "highest";
  /** Whether Yarn installs in a temporary checkout, and yarn.lock comes of it. */
  readonly install: boolean;
  /** Scripts of the package that run once it has landed. */
  readonly run: readonly string[];
  /** List the source's open pull requests. */
  readonly prs: boolean;
  /** List them, and recreate their branches on the grafted history. */
  readonly transplant: boolean;
  /** `owner/name` on GitHub, where the source's address does not say. */
  readonly github: string | undefined;
  /** Whether the package is registered in the workspace (globs, versions, `yarn install`). */
  readonly register: boolean;
}

/** A ref of the source as it is announced. */
export interface SourceRef {
  readonly name: string;
  readonly id: string;
  /** The commit of an annotated tag; undefined for other refs. */
  readonly peeled: string | undefined;
}

/** A tag of the source and what it becomes. */
export interface TagPlan {
  readonly from: string;
  readonly to: string;
  readonly id: string;
  readonly commit: string;
  readonly annotated: boolean;
}

/** A branch of the source that comes along, and what it becomes. */
export interface BranchPlan {
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

/** A commit that was rewritten, and what it became; in topological order, parents first. */
export interface MappedCommit {
  readonly old: string;
  /** Undefined where the commit touched nothing that came along and has no kept ancestor. */
  readonly new: string | undefined;
}

/** Numbers of a rewrite, for the report. */
export interface HistoryFigures {
  readonly commits: number;
  readonly merges: number;
  readonly authors: number;
  /** Signatures that could not survive. */
  readonly signatures: number;
  /** Commits left out because they touched nothing below the chosen paths. */
  readonly pruned: number;
  /** Author or committer lines that git itself would not accept, mended. */
  readonly mended: number;
  /** Messages in which `#123` was qualified. */
  readonly qualified: number;
}
