import type { Draft, TreeView } from "../tree/draft.js";
import type { CommitMap } from "../history/commit-map.js";
import type { MigrationRequest, Placement, StepPlan } from "../migration.js";

/** The context of a step. Paths are relative to the top of the target, with `/` between their parts. */
export interface StepContext {
  /** The migrated package's name. */
  readonly name: string;
  /** The destinations of the source's folders; the first one is the package. */
  readonly placements: readonly Placement[];
  /** The target before the migration. */
  readonly before: TreeView;
  /**
   * The source's files at the merged commit, by their own paths; with `--only`, this includes files that aren't
   * migrated.
   */
  readonly source: TreeView;
  readonly versions: MigrationRequest["versions"];
  /** Whether Yarn may run: it writes yarn.lock, and queries the registry. */
  readonly install: boolean;
  /**
   * Whether to link resolved packages and check the constraints, too. If not, the caller does so once for many sources.
   */
  readonly link: boolean;
  /** `owner/name` of the target on GitHub, if its remote has one. */
  readonly targetSlug: string | undefined;
  readonly sourceSlug: string | undefined;
  /** Maps old commits to new ones; empty while a plan is described. */
  readonly commits: CommitMap;
  /** The folder for a step's temporary files. It is outside the working tree, and removed at the end. */
  readonly scratch: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** A note for people in the report: a lost check, a follow-up. */
export interface StepNote {
  readonly kind: "done" | "follow-up" | "warning";
  readonly text: string;
  /** The topic under which a batch's report counts the note. Without one, open work counts as a follow-up. */
  readonly topic?: NoteTopic;
}

export type NoteTopic =
  /** A version conflict that was solved. */
  | "versions"
  /** A phantom dependency that was declared. */
  | "phantoms"
  /** A CI job that was removed. */
  | "ci";

/** Returns a note about work that was done. */
export function done(text: string, topic?: NoteTopic): StepNote {
  return { kind: "done", text, ...(topic && { topic }) };
}

/** Returns a note about work that is left to people. */
export function followUp(text: string, topic?: NoteTopic): StepNote {
  return { kind: "follow-up", text, ...(topic && { topic }) };
}

/** Returns a note about something that people should check. */
export function warning(text: string): StepNote {
  return { kind: "warning", text };
}

/**
 * One step of the clean-up. Each step is a file in `steps/clean-up/` and an entry of the list in `steps/index.ts`. A
 * step never writes to the target's disk: it changes the draft, and the draft becomes a commit after the merge.
 */
export interface Step {
  /** Whether it uses more than git (a package manager, a registry): a plan only describes it. */
  readonly external?: boolean;
  /** The id for `--skip`. */
  readonly id: string;
  /**
   * Decides what to do and why, without doing it.
   * @param view the target with the package in place, as the previous steps leave it
   * @returns undefined if there is nothing to do
   */
  decide(view: TreeView, context: StepContext): Promise<StepWork | undefined>;
}

/** The work of a step on one tree. */
export interface StepWork extends Omit<StepPlan, "id"> {
  /** Does the work, on a draft with the files of that tree. */
  readonly apply: (draft: Draft) => Promise<readonly StepNote[]>;
}

/** The parts of a step that finds something in the files, describes it and changes it. */
export interface StepParts<F> {
  readonly id: string;
  /** The reason for the work, for people. */
  readonly why: string | ((context: StepContext) => string);
  readonly find: (view: TreeView, context: StepContext) => Promise<F>;
  /** Describes the work, for people. An empty list means that there is nothing to do. */
  readonly what: (found: F) => readonly string[];
  readonly apply: (
    draft: Draft,
    found: F,
    context: StepContext,
  ) => readonly StepNote[] | Promise<readonly StepNote[]>;
}

/** Makes a step of its parts. */
export function stepOf<F>({ id, why, find, what, apply }: StepParts<F>): Step {
  return {
    id,
    async decide(view, context) {
      const found = await find(view, context);
      const lines = what(found);
      if (lines.length === 0) return undefined;
      return {
        what: lines,
        why: typeof why === "string" ? why : why(context),
        apply: async (draft) => apply(draft, found, context),
      };
    },
  };
}
