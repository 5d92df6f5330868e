/** The stages of human waiting. */
export const HUMAN_STAGES = ["draft", "review", "approved"] as const;

/** The stages without human waiting that end at the latest with the merge. */
export const STAGES_TO_MERGE = [
  "build",
  "plan",
  "set-up",
  "judge",
  "queue",
  "retry",
  "merge-queue",
] as const;

/** All stages of a pull request, in their order in reports. */
export const STAGES = [
  ...HUMAN_STAGES,
  ...STAGES_TO_MERGE,
  "post-merge-build",
  "publish",
  "publish-wait",
  "upgrade",
] as const;
/**
 * The stage of a moment of a pull request. Every moment is in exactly one stage, so the stages sum to the gross lead
 * time.
 */
export type Stage = (typeof STAGES)[number];

/** Returns whether people are waited for in a stage. */
export function isHuman(stage: Stage): boolean {
  return (HUMAN_STAGES as readonly Stage[]).includes(stage);
}
