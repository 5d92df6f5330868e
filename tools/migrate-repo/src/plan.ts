import type {
  BranchPlan,
  MigrationRequest,
  Placement,
  SourceAddress,
  TagPlan,
} from "./migration.js";
import type { DestinationFault } from "./names.js";
import type { LfsPointer } from "./lfs/lfs.js";
import type { OpenPull } from "./pulls/pull.js";
import type { SecretFound, LargeFile } from "./survey/history.js";

/** Why a migration cannot go on. Each has its own words and way out in `problems.ts`. */
export type Refusal =
  | { readonly code: "source-is-option"; readonly given: string }
  | { readonly code: "source-control-characters" }
  | { readonly code: "source-transport"; readonly transport: string }
  | { readonly code: "source-unclear"; readonly given: string }
  | { readonly code: "source-is-target" }
  | { readonly code: "bare-target" }
  | { readonly code: "unborn-branch" }
  | { readonly code: "detached-head" }
  | { readonly code: "operation-in-progress"; readonly operation: string }
  | { readonly code: "migration-in-progress"; readonly name: string }
  | { readonly code: "dirty"; readonly paths: readonly string[] }
  | { readonly code: "shallow-target" }
  | { readonly code: "sparse-target" }
  | { readonly code: "no-identity" }
  | { readonly code: "protected-branch"; readonly branch: string }
  | {
      readonly code: "bad-destination";
      readonly path: string;
      readonly fault: DestinationFault;
    }
  | {
      readonly code: "bad-only";
      readonly path: string;
      readonly fault: DestinationFault;
    }
  | {
      readonly code: "destinations-overlap";
      readonly one: string;
      readonly other: string;
    }
  | { readonly code: "destination-tracked"; readonly path: string }
  | {
      readonly code: "destination-untracked";
      readonly path: string;
      readonly ignored: boolean;
    }
  | {
      readonly code: "destination-file";
      readonly path: string;
      readonly at: string;
    }
  | {
      readonly code: "destination-symlink";
      readonly path: string;
      readonly at: string;
    }
  | {
      readonly code: "destination-submodule";
      readonly path: string;
      readonly at: string;
    }
  | {
      readonly code: "destination-case";
      readonly path: string;
      readonly twin: string;
    }
  | {
      readonly code: "destination-in-package";
      readonly path: string;
      readonly dir: string;
      readonly name: string;
    }
  | { readonly code: "bad-name"; readonly name: string }
  | { readonly code: "name-used"; readonly name: string; readonly dir: string }
  | { readonly code: "already-migrated"; readonly name: string }
  | { readonly code: "empty-source" }
  | { readonly code: "no-default-branch"; readonly branches: readonly string[] }
  | {
      readonly code: "no-such-branch";
      readonly branch: string;
      readonly branches: readonly string[];
    }
  | {
      readonly code: "object-format";
      readonly source: string;
      readonly target: string;
    }
  | { readonly code: "shallow-source" }
  | { readonly code: "partial-source" }
  | { readonly code: "too-many-refs"; readonly count: number }
  | { readonly code: "nothing-there"; readonly path: string }
  | { readonly code: "no-package-json"; readonly dir: string }
  | { readonly code: "submodules"; readonly paths: readonly string[] }
  | {
      readonly code: "lfs";
      readonly pointers: readonly LfsPointer[];
      /** The source, as git-lfs takes it. */
      readonly from: string;
    }
  | {
      readonly code: "lfs-missing";
      readonly pointers: readonly LfsPointer[];
      readonly said: string;
    }
  | { readonly code: "secrets"; readonly found: readonly SecretFound[] }
  | {
      readonly code: "large-file";
      readonly file: LargeFile;
      readonly limit: number;
    }
  | { readonly code: "bad-ref-name"; readonly ref: string }
  | { readonly code: "ref-exists"; readonly ref: string; readonly from: string }
  | {
      readonly code: "refs-collide";
      readonly ref: string;
      readonly one: string;
      readonly other: string;
    }
  | {
      readonly code: "ref-conflict";
      readonly ref: string;
      readonly other: string;
    }
  | { readonly code: "unknown-step"; readonly id: string }
  | { readonly code: "run-needs-install"; readonly option: string }
  | { readonly code: "transplant-needs-graft"; readonly history: string }
  | { readonly code: "no-github"; readonly given: string | undefined };

/** What people should know, and that stops nothing. */
export type Warning =
  | { readonly code: "hooks-not-run"; readonly hooks: readonly string[] }
  | { readonly code: "pushed-size"; readonly files: readonly LargeFile[] }
  | { readonly code: "case-twins"; readonly names: readonly string[] }
  | {
      readonly code: "escaping-links";
      readonly links: readonly { readonly path: string; readonly to: string }[];
    }
  | { readonly code: "long-paths"; readonly paths: readonly string[] }
  | {
      readonly code: "ignored-destination";
      readonly path: string;
      readonly rule: string;
    }
  | { readonly code: "other-branches"; readonly branches: readonly string[] }
  | {
      readonly code: "closing-references";
      readonly count: number;
      readonly slug: string | undefined;
    }
  | { readonly code: "other-tags"; readonly count: number }
  | { readonly code: "tags-of-others"; readonly count: number }
  | { readonly code: "secrets-allowed"; readonly found: readonly SecretFound[] }
  | {
      readonly code: "lfs-allowed";
      readonly pointers: readonly LfsPointer[];
      /** The source, as git-lfs takes it. */
      readonly from: string;
    }
  | { readonly code: "submodules-kept"; readonly paths: readonly string[] }
  | { readonly code: "no-workspace" }
  | { readonly code: "nested-packages"; readonly names: readonly string[] };

/** Everything a migration will do, decided before anything is done. */
export interface Plan {
  readonly request: MigrationRequest;
  /** The package's name; also the migration's. */
  readonly name: string;
  /** Names of all packages that come, this one first. */
  readonly names: readonly string[];
  /** Names of packages inside of them. */
  readonly nested: readonly string[];
  readonly source: SourceAddress;
  /** The source's branch. */
  readonly branch: string;
  /** The source's commit that is merged. */
  readonly tip: string;
  /** Commits of the source that come along. */
  readonly commits: number;
  readonly files: number;
  readonly placements: readonly Placement[];
  readonly target: {
    /** Full ref name. */
    readonly branch: string;
    readonly head: string;
  };
  readonly tags: readonly TagPlan[];
  readonly branches: readonly BranchPlan[];
  /** What git-lfs will fetch; nothing where only pointers come. */
  readonly lfs: readonly LfsPointer[];
  /** Open pull requests of the source; undefined where nobody asked for them. */
  readonly pulls: readonly OpenPull[] | undefined;
  readonly warnings: readonly Warning[];
}
