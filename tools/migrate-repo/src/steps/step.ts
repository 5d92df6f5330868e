import type { Draft, TreeView } from "../tree/draft.js";
import type { CommitMap } from "../history/commit-map.js";
import type { MigrationRequest, Placement, StepPlan } from "../migration.js";

/** The context of a step. Paths are from the top of the target, `/` between their parts. */
export interface StepContext {
  /** The migrated package's name. */
  readonly name: string;
  /** Where the source's folders went; the first one is the package. */
  readonly placements: readonly Placement[];
  /** The target as it was before the migration. */
  readonly before: TreeView;
  /** The source's own files at the commit that is merged, below their own paths; with `--only`, also what stays behind. */
  readonly source: TreeView;
  readonly versions: MigrationRequest["versions"];
  /** Whether Yarn may be run: it writes yarn.lock, and asks the registry. */
  readonly install: boolean;
  /** Whether it links what it resolved, too, and checks the constraints: else somebody does so for many at once. */
  readonly link: boolean;
  /** `owner/name` of the target on GitHub, where its remote says so. */
  readonly targetSlug: string | undefined;
  readonly sourceSlug: string | undefined;
  /** Old commit -> new commit; empty while a plan is described. */
  readonly commits: CommitMap;
  /** Folder for a step's temporary files; outside the working tree, removed at the end. */
  readonly scratch: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Something a step wants people to read in the report: a check nobody should lose, a follow-up. */
export interface StepNote {
  readonly kind: "done" | "follow-up" | "warning";
  readonly text: string;
  /** Where a batch's report counts it; else what is left to do is a follow-up. */
  readonly topic?: NoteTopic;
}

export type NoteTopic =
  /** A version conflict that was solved. */
  | "versions"
  /** A phantom dependency that was declared. */
  | "phantoms"
  /** A CI job that is lost. */
  | "ci";

/**
 * One step of the clean-up. One file each in `steps/clean-up/`, one list in `steps/index.ts`. A step never touches the
 * disk of the target: it changes the draft, and the draft becomes a commit of its own after the merge.
 */
export interface Step {
  /** It asks the world beyond git (a package manager, a registry): a plan only describes it. */
  readonly external?: boolean;
  /** The id for `--skip`. */
  readonly id: string;
  /**
   * Says what the step will do and why, without doing it.
   * @param view the target with the package in place, as the steps before this one leave it
   * @returns undefined when there is nothing for it to do
   */
  describe(
    view: TreeView,
    context: StepContext,
  ): Promise<Omit<StepPlan, "id"> | undefined>;
  /** Does what `describe` said. Asked only if that was something. */
  apply(draft: Draft, context: StepContext): Promise<readonly StepNote[]>;
}
