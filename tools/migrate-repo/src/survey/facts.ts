import type {
  MigrationRequest,
  Placement,
  SourceAddress,
  SourceRef,
} from "../migration.js";
import type { Announcement } from "./announcement.js";
import type { DestinationFacts } from "./destination.js";
import type { HistoryFacts } from "./history.js";
import type { InnerPackage } from "./inner-packages.js";
import type { TargetFacts } from "./target.js";
import type { TipFacts } from "./tip.js";

/** The parts of a source to migrate. */
export interface SourceParts {
  /** The request, in which the packages of the source replace `--only auto`. */
  readonly request: MigrationRequest;
  readonly address: SourceAddress;
  readonly announcement: Announcement;
  readonly name: string;
  readonly branch: string;
  readonly tip: string;
  readonly placements: readonly Placement[];
  /** Branches to migrate in addition to the chosen one, at the fetched commits. */
  readonly branches: readonly SourceRef[];
  /** The source's packages, if its root is a workspace and `--only` names no paths or all packages. */
  readonly inner: readonly InnerPackage[];
}

/** Everything that is known before the plan. */
export interface Facts extends SourceParts {
  readonly target: TargetFacts;
  readonly destinations: readonly DestinationFacts[];
  readonly tipFacts: TipFacts;
  readonly history: HistoryFacts;
  /** Whether git-lfs is installed; checked only if the history needs it. */
  readonly gitLfs: boolean;
  /** The number of migrated commits. */
  readonly commits: number;
  /** The number of messages that would close issues of the target on a push. */
  readonly closing: number;
  /** Branches with commits that aren't migrated. */
  readonly staying: readonly string[];
  /** Tags to migrate. */
  readonly tags: readonly SourceRef[];
  /** The number of tags that the migrated commits don't reach. */
  readonly otherTags: number;
}

/** The facts about only the source, without the target. */
export type SourceFacts = Omit<Facts, "target" | "destinations">;

/** Returns the names of packages inside the migrated ones. */
export function nestedPackages({
  tipFacts,
  placements,
}: Facts): readonly string[] {
  return tipFacts.manifests
    .filter(({ dir }) => !placements.some(({ to }) => to === dir))
    .flatMap(({ name }) => (name === undefined ? [] : [name]));
}
