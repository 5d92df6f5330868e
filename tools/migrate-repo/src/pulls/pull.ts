import type { CarriedPull } from "../record/record-format.js";
import type { Refusal } from "../refusals/index.js";

/** An open pull request of the source, and the ref of its head. */
export interface OpenPull {
  readonly number: number;
  /** Untrusted text. */
  readonly title: string;
  readonly author: string | undefined;
  readonly draft: boolean;
  /** The source's branch into which it is to be merged. */
  readonly base: string;
  /** `owner:branch`, as on GitHub. */
  readonly from: string;
  /** The ref of the source that holds its head, if there is one. */
  readonly ref: string | undefined;
}

/** The result for an open pull request. If it isn't carried, the result has the reason. */
export type PullFate =
  | {
      readonly kind: "carried";
      /** The full name. */
      readonly ref: string;
      readonly id: string;
      /** The original head, in the source. */
      readonly old: string;
      /** The ref's commit before; undefined for a new ref. */
      readonly before: string | undefined;
      readonly commits: number;
      /** Paths that would conflict in a merge into the workspace. */
      readonly conflicts: readonly string[];
      /** Conflicting paths that the clean-up removed; they stay removed. */
      readonly removed: readonly string[];
    }
  | { readonly kind: "unchanged"; readonly ref: string }
  /** Its branch here has commits that weren't carried: someone works on it. */
  | { readonly kind: "branch-taken"; readonly ref: string }
  | { readonly kind: "ref-refused"; readonly refusal: Refusal }
  | { readonly kind: "head-gone" }
  /** Git's checks reject an object of it. */
  | { readonly kind: "unreadable"; readonly output: string }
  | { readonly kind: "content-refused"; readonly refusal: Refusal }
  /** All of its commits are here already, or none of them touches a migrated path. */
  | { readonly kind: "nothing-new" }
  | { readonly kind: "unrelated" };

export interface JudgedPull {
  readonly pull: OpenPull;
  readonly fate: PullFate;
}

/** Files of pull requests in Git LFS whose objects weren't fetched. */
export interface MissingLfs {
  readonly files: number;
  /** The reason. */
  readonly message: string;
  /** The source, as an argument for git-lfs. */
  readonly from: string;
}

/** The result of a transplant. */
export interface PullReport {
  /** `owner/name` */
  readonly repository: string;
  /** The branch for their merges, without `refs/heads/`. */
  readonly onto: string;
  readonly pulls: readonly JudgedPull[];
  /** Pull requests that were carried earlier, and are no longer open in the source. Their branches aren't touched. */
  readonly closed: readonly CarriedPull[];
  /** The files in Git LFS. A dry run fetches none. */
  readonly lfs: {
    readonly count: number;
    /** In bytes. */
    readonly size: number;
    readonly missing: MissingLfs | undefined;
  };
}

/** Returns the branch of a pull request in the workspace: `packages/lib`, 12 -> `refs/heads/lib/pull/12`. */
export function pullBranch(destination: string, number: number): string {
  const folder = destination.slice(destination.lastIndexOf("/") + 1);
  return `refs/heads/${folder}/pull/${number}`;
}
