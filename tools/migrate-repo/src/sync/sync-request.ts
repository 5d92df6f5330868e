import type { SourceAddress, SourceRef } from "../migration.js";
import type { Quarantine } from "../quarantine/quarantine.js";
import type { StoredRecord } from "../record/record.js";
import type { TargetFacts } from "../survey/target.js";
import type { MigrateWorld } from "../world.js";
import type { BranchNews } from "./branches.js";

/** Everything that a sync needs. */
export interface SyncRequest {
  readonly world: MigrateWorld;
  readonly target: TargetFacts;
  readonly quarantine: Quarantine;
  readonly stored: StoredRecord;
  /** Whether the record names a branch or an address that it did not name before. */
  readonly isMoved: boolean;
  readonly address: SourceAddress;
  /** Tags the record does not know. */
  readonly newTags: readonly SourceRef[];
  /** Branches beside the main one. */
  readonly branches: BranchNews;
  readonly allowSecrets: boolean;
  /** Bring pointers of Git LFS without their objects. */
  readonly allowLfs: boolean;
  /** Whether git-lfs may fetch; a dry run does not. */
  readonly fetchLfs: boolean;
}
