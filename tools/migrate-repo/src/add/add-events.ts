import type { StepPlan } from "../migration.js";
import type { Plan } from "../plan/plan.js";
import { explainWarning } from "../plan/warnings.js";
import { coded } from "../words/events.js";
import type { AddOutcome } from "./add-repository.js";

/** Returns `{"event":"plan", …}`: what will be done. */
export function planEvent(plan: Plan, steps: readonly StepPlan[]): object {
  return {
    event: "plan",
    name: plan.name,
    source: plan.source.shown,
    branch: plan.branch,
    tip: plan.tip,
    history: plan.request.history,
    commits: plan.commits,
    files: plan.files,
    placements: plan.placements,
    target: plan.target,
    tags: plan.tags.map(({ from, to }) => ({ from, to })),
    branches: plan.branches.map(({ from, to }) => ({ from, to })),
    ...(plan.lfs.length > 0 && { lfs: plan.lfs }),
    ...(plan.pulls && { pulls: plan.pulls }),
    steps,
    warnings: plan.warnings.map((warning) => ({
      ...coded(warning),
      ...explainWarning(warning),
    })),
  };
}

/** Returns `{"event":"report", …}`: what was done. */
export function reportEvent({
  plan,
  built,
  lfs,
  took,
}: Extract<AddOutcome, { kind: "landed" }>): object {
  return {
    event: "report",
    name: plan.name,
    head: built.newHead,
    commits: built.commits,
    figures: built.figures,
    treesCompared: built.treesCompared,
    packed: built.packed,
    tags: built.tags.map(({ plan: { from, to }, id }) => ({ from, to, id })),
    tagsLeft: built.leftTags.map(({ from }) => from),
    branches: built.branches,
    steps: [...built.cleanUp, ...built.registration],
    ...(lfs && { lfs: { objects: lfs.count, bytes: lfs.size } }),
    milliseconds: took,
  };
}
