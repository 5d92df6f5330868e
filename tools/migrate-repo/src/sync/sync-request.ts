import type { SourceAddress, SourceRef } from "../migration.js";
import type { Quarantine } from "../quarantine/quarantine.js";
import type { StoredRecord } from "../record/record.js";
import type { TargetFacts } from "../survey/target.js";
import type { MigrateWorld } from "../world.js";
import type { BranchNews } from "./branches.js";

/** The inputs of a sync. */
export interface SyncRequest {
  readonly world: MigrateWorld;
  readonly target: TargetFacts;
  readonly quarantine: Quarantine;
  readonly stored: StoredRecord;
  /** Whether the branch or the address in the record has changed. */
  readonly isMoved: boolean;
  readonly address: SourceAddress;
  /** Tags that aren't in the record. */
  readonly newTags: readonly SourceRef[];
  /** Further branches. */
  readonly branches: BranchNews;
  readonly allowSecrets: boolean;
  /** Whether to merge pointers of Git LFS without their objects. */
  readonly allowLfs: boolean;
  /** Whether git-lfs may fetch. It may not in a dry run. */
  readonly fetchLfs: boolean;
}
