import type {
  BranchPlan,
  MigrationRequest,
  Placement,
  SourceAddress,
  TagPlan,
} from "../migration.js";
import type { LfsPointer } from "../lfs/lfs.js";
import type { OpenPull } from "../pulls/pull.js";
import type { Warning } from "./warnings.js";

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
  /** The objects that git-lfs will fetch; empty if only pointers come. */
  readonly lfs: readonly LfsPointer[];
  /** Open pull requests of the source; undefined where nobody asked for them. */
  readonly pulls: readonly OpenPull[] | undefined;
  readonly warnings: readonly Warning[];
}
