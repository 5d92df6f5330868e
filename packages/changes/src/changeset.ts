/** The kind of change to a path. A rename is never a kind: it is a deletion and an addition, so that no path is lost. */
export type ChangeKind =
  "added" | "modified" | "deleted" | "type-changed" | "unmerged";

/** Where a change was seen. */
export type ChangeOrigin =
  "committed" | "staged" | "unstaged" | "untracked" | "listed";

/** One path that differs between base and head. Never just a path. */
export interface Change {
  /** Path from the top of the repository, `/` between its parts. */
  readonly path: string;
  readonly kind: ChangeKind;
  readonly origin: ChangeOrigin;
  /** The path the source of the changeset says it was moved from (GitHub's `previous_filename`). */
  readonly oldPath?: string;
  /** Git's six-digit file modes; `120000` is a symlink, `160000` a submodule. */
  readonly oldMode?: string;
  readonly newMode?: string;
  /** Blob ids where they are known; a file in the working tree has no new id. */
  readonly oldId?: string;
  readonly newId?: string;
}

/** One end of a changeset. */
export interface Revision {
  /** The end that was asked for: a ref, `HEAD`, a pull request. */
  readonly name: string;
  /** The commit's full id. */
  readonly commit: string;
}

/** Where a changeset came from. */
export type ChangeSource =
  | { readonly kind: "git"; readonly includesWorkingTree: boolean }
  | {
      /** `ci-event` is an event of another engine than GitHub Actions. */
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

/** Why a changeset may lack something. Whoever reads it selects more, and says so. */
export type Unknown =
  | { readonly kind: "no-base"; readonly detail: string }
  | {
      readonly kind: "list-cut";
      readonly listed: number;
      readonly expected: number | undefined;
      readonly detail: string;
    }
  | { readonly kind: "everything-asked"; readonly detail: string }
  | { readonly kind: "unreadable-sources"; readonly detail: string };

/** Changes with both their ends, where they came from, and what is unknown about them. */
export interface Changeset {
  /** Undefined where there is nothing to compare with (`unknown` then says why), or the source is a bare list. */
  readonly base: Revision | undefined;
  /** Undefined for a bare list. */
  readonly head: Revision | undefined;
  readonly source: ChangeSource;
  readonly changes: readonly Change[];
  /** Non-empty means: the list cannot be trusted to be whole, so everything is affected. */
  readonly unknown: readonly Unknown[];
}
