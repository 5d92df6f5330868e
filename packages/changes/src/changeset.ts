/** The kind of change to a path. A rename is recorded as a deletion and an addition, so that no path is lost. */
export type ChangeKind =
  | "added"
  | "modified"
  | "deleted"
  | "type-changed"
  | "unmerged";

/** The place where a change was found. */
export type ChangeOrigin =
  | "committed"
  | "staged"
  | "unstaged"
  | "untracked"
  | "listed";

/** A path that differs between base and head. It is never just a path. */
export interface Change {
  /** The path from the top of the repository, separated by `/`. */
  readonly path: string;
  readonly kind: ChangeKind;
  readonly origin: ChangeOrigin;
  /** The former path, if the source of the changeset reports one (GitHub's `previous_filename`). */
  readonly oldPath?: string;
  /** Git's six-digit file modes; `120000` is a symlink, `160000` a submodule. */
  readonly oldMode?: string;
  readonly newMode?: string;
  /** Blob ids, if known. A file in the working tree has no new id. */
  readonly oldId?: string;
  readonly newId?: string;
}

/** One end of a changeset. */
export interface Revision {
  /** The name as requested: a ref, `HEAD`, a pull request. */
  readonly name: string;
  /** The commit's full id. */
  readonly commit: string;
}

/** The source of a changeset. */
export type ChangeSource =
  | { readonly kind: "git"; readonly includesWorkingTree: boolean }
  | {
      /** `ci-event` is an event of another CI than GitHub Actions. */
      readonly kind: "github-event" | "ci-event";
      readonly event: string;
      readonly via: "git" | "api";
    }
  | {
      readonly kind: "pull-request";
      readonly repository: string;
      readonly number: number;
      readonly via: "git" | "api";
    }
  | { readonly kind: "list"; readonly from: string };

/** A reason why a changeset may be incomplete. Skein then selects more, and reports the reason. */
export type Unknown =
  | { readonly kind: "no-base"; readonly detail: string }
  | {
      readonly kind: "list-cut";
      readonly listed: number;
      readonly expected: number | undefined;
      readonly detail: string;
    }
  | { readonly kind: "everything-asked"; readonly detail: string };

/** Changes with base and head, their source, and what is unknown about them. */
export interface Changeset {
  /** Undefined if there is nothing to compare with (`unknown` then has the reason), or the source is a bare list. */
  readonly base: Revision | undefined;
  /** Undefined for a bare list. */
  readonly head: Revision | undefined;
  readonly source: ChangeSource;
  readonly changes: readonly Change[];
  /** If this isn't empty, the list may be incomplete, so everything is affected. */
  readonly unknown: readonly Unknown[];
}
