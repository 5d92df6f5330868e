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

/** Everything that is known before the plan is made. */
export interface Facts {
  readonly request: MigrationRequest;
  readonly address: SourceAddress;
  readonly target: TargetFacts;
  readonly announcement: Announcement;
  readonly name: string;
  readonly branch: string;
  readonly tip: string;
  readonly placements: readonly Placement[];
  readonly destinations: readonly DestinationFacts[];
  readonly tipFacts: TipFacts;
  /** The source's packages, where its root is a workspace and no paths of it were chosen, or all of them. */
  readonly inner: readonly InnerPackage[];
  readonly history: HistoryFacts;
  /** Whether git-lfs is there; asked only where the history has use for it. */
  readonly gitLfs: boolean;
  /** How many come along. */
  readonly commits: number;
  /** Messages that would close issues of the target, were they pushed. */
  readonly closing: number;
  /** Branches with commits that do not come along. */
  readonly staying: readonly string[];
  /** Tags that come along. */
  readonly tags: readonly SourceRef[];
  /** Branches that come along beside the chosen one. */
  readonly branches: readonly SourceRef[];
  /** Tags that are not reachable from what comes along. */
  readonly otherTags: number;
}

/** The facts about a source alone, without the target. */
export type SourceFacts = Omit<Facts, "target" | "destinations">;

/** Returns names of packages inside of those that come. */
export function nestedPackages({
  tipFacts,
  placements,
}: Facts): readonly string[] {
  return tipFacts.manifests
    .filter(({ dir }) => !placements.some(({ to }) => to === dir))
    .flatMap(({ name }) => (name === undefined ? [] : [name]));
}
