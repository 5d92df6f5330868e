import { planUnits } from "@skein/runner";
import type { UnitPlan } from "@skein/runner";
import { runnable } from "@skein/workspaces";
import { verbs } from "../command.js";
import { scriptFailure } from "./find-script.js";
import type { Selection } from "../select.js";
import type { Survey } from "../survey.js";
import { wholeGraph } from "../project/whole-graph.js";

/**
 * Rejects a script that no package has. A misspelt script would run nothing and be green.
 * @throws Failure (usage)
 */
export function assertScript({ head }: Survey, script: string): void {
  const { packages } = head;
  const failure = scriptFailure({
    ...{ script, packages, selected: [], includeRoot: true, verbs },
  });
  if (failure) throw failure;
}

/** The script to run in the selected packages. */
export interface PlanRequest {
  readonly script: string;
  readonly args: readonly string[];
  readonly includeRoot: boolean;
}

/** Plans a script of the selected packages, with the scripts that the pipeline in skein.json adds. */
export function planOf(
  facts: Survey,
  selection: Selection,
  { script, args, includeRoot }: PlanRequest,
): UnitPlan {
  return planUnits({
    workspaces: runnable(facts.head),
    edges: wholeGraph(facts).edges,
    selected: chosen(facts, selection, includeRoot),
    scripts: [script],
    args,
    pipeline: facts.settings.pipeline,
  });
}

/**
 * Returns the names of the selected packages. The root's script usually calls all the others, including this tool, so
 * the root is included only on request.
 */
export function chosen(
  { head }: Survey,
  { packages }: Selection,
  includeRoot: boolean,
): string[] {
  return packages
    .map(({ name }) => name)
    .filter((name) => includeRoot || name !== head.graph.root);
}
