import type {
  BranchPlan,
  MigrationRequest,
  Placement,
  SourceAddress,
  TagPlan,
} from "../migration.js";
import type { LfsPointer } from "../lfs/pointers.js";
import type { OpenPull } from "../pulls/pull.js";
import type { Warning } from "./warnings.js";

/** Everything that a migration will do, decided before anything is done. */
export interface Plan {
  readonly request: MigrationRequest;
  /** The name of the package and of the migration. */
  readonly name: string;
  /** The names of all migrated packages, this one first. */
  readonly names: readonly string[];
  /** The names of packages inside of them. */
  readonly nested: readonly string[];
  readonly source: SourceAddress;
  /** The source's branch. */
  readonly branch: string;
  /** The source's commit that is merged. */
  readonly tip: string;
  /** The number of commits to migrate. */
  readonly commits: number;
  readonly files: number;
  readonly placements: readonly Placement[];
  readonly target: {
    /** The full ref name. */
    readonly branch: string;
    readonly head: string;
  };
  readonly tags: readonly TagPlan[];
  readonly branches: readonly BranchPlan[];
  /** The objects that git-lfs will fetch; empty if only the pointers are migrated. */
  readonly lfs: readonly LfsPointer[];
  /** The source's open pull requests; undefined if they weren't requested. */
  readonly pulls: readonly OpenPull[] | undefined;
  readonly warnings: readonly Warning[];
}
