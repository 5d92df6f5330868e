import type { CarriedPull } from "../record/record.js";
import type { Refusal } from "../refusals/index.js";

/** An open pull request of the source, and where its head is now. */
export interface OpenPull {
  readonly number: number;
  /** Anybody's words. */
  readonly title: string;
  readonly author: string | undefined;
  readonly draft: boolean;
  /** The source's branch it asks to be merged into. */
  readonly base: string;
  /** `owner:branch`, as GitHub shows it. */
  readonly from: string;
  /** The ref of the source that holds its head; undefined where there is none. */
  readonly ref: string | undefined;
}

/** The result for an open pull request. Each one that is not carried has its reason. */
export type PullFate =
  | {
      readonly kind: "carried";
      /** Full name. */
      readonly ref: string;
      readonly id: string;
      /** The head it was made from, in the source. */
      readonly old: string;
      /** The ref's commit before; undefined for a new ref. */
      readonly before: string | undefined;
      readonly commits: number;
      /** Paths that a merge into the workspace would ask about. */
      readonly conflicts: readonly string[];
      /** Paths of those that the clean-up took away: they stay away. */
      readonly removed: readonly string[];
    }
  | { readonly kind: "unchanged"; readonly ref: string }
  /** Its branch here has commits that were not carried: somebody works on it. */
  | { readonly kind: "branch-taken"; readonly ref: string }
  | { readonly kind: "ref-refused"; readonly refusal: Refusal }
  | { readonly kind: "head-gone" }
  /** Git's checks refuse an object of it. */
  | { readonly kind: "unreadable"; readonly said: string }
  | { readonly kind: "content-refused"; readonly refusal: Refusal }
  /** All of its commits are here already, or none touches what came along. */
  | { readonly kind: "nothing-new" }
  | { readonly kind: "unrelated" };

export interface JudgedPull {
  readonly pull: OpenPull;
  readonly fate: PullFate;
}

/** Files of pull requests in Git LFS whose objects did not come. */
export interface MissingLfs {
  readonly files: number;
  /** Why. */
  readonly said: string;
  /** The source, as git-lfs takes it. */
  readonly from: string;
}

/** The result of a transplant. */
export interface PullReport {
  /** `owner/name` */
  readonly repository: string;
  /** The branch they can be merged into, without `refs/heads/`. */
  readonly onto: string;
  readonly pulls: readonly JudgedPull[];
  /** Carried earlier, and no longer open at the source; their branches are left alone. */
  readonly closed: readonly CarriedPull[];
  /** The files in Git LFS. A dry run fetches none. */
  readonly lfs: {
    readonly count: number;
    /** Bytes. */
    readonly size: number;
    readonly missing: MissingLfs | undefined;
  };
}

/** Returns the branch of a pull request in the workspace: `packages/lib`, 12 -> `refs/heads/lib/pull/12`. */
export function pullBranch(destination: string, number: number): string {
  const folder = destination.slice(destination.lastIndexOf("/") + 1);
  return `refs/heads/${folder}/pull/${number}`;
}
