import { makeCommit, type Committer } from "../history/make-commit.js";
import { nameOf } from "../names/source-name.js";
import type { PlacedSource } from "../plan/place-source.js";
import type { Plan } from "../plan/plan.js";
import type { Quarantine } from "../quarantine/quarantine.js";
import { runSteps, type StepResult } from "../steps/run-steps.js";
import type { Step } from "../steps/step.js";

/** The new commits of the target's branch, in the quarantine. */
export interface BranchCommits {
  /** Oldest first; the first is the merge. */
  readonly all: readonly { readonly id: string; readonly title: string }[];
  readonly merge: string;
  /** Returns the newest commit. */
  head(): string;
  /** Runs steps on the draft. If they change it, a commit with this title holds the result. */
  run(steps: readonly Step[], title: string): Promise<readonly StepResult[]>;
}

/**
 * Creates the merge commit: the target with the source's files at their destinations, and the rewritten history as its
 * second parent.
 * @param tip the rewritten commit that is merged
 */
export async function mergeSource(
  plan: Plan,
  { git }: Pick<Quarantine, "git">,
  { draft, context }: PlacedSource,
  committer: Committer,
  tip: string,
): Promise<BranchCommits> {
  const merge = await makeCommit(git, committer, {
    tree: await draft.save(),
    parents: [plan.target.head, tip],
    message: mergeMessage(plan, tip),
  });
  const all = [{ id: merge, title: `Migrate ${nameOf(plan)}` }];
  const head = () => all.at(-1)?.id ?? merge;
  return {
    all,
    merge,
    head,
    async run(steps, title) {
      const tree = await draft.save();
      const results = await runSteps(steps, draft, context, plan.request.skip);
      const saved = await draft.save();
      if (saved === tree) return results;
      const id = await makeCommit(git, committer, {
        tree: saved,
        parents: [head()],
        message: stepsMessage(title, results),
      });
      all.push({ id, title });
      return results;
    },
  };
}

function mergeMessage(plan: Plan, tip: string): string {
  const where = plan.placements.map(({ to }) => to).join(", ");
  return [
    `Migrate ${nameOf(plan)} to ${where}`,
    "",
    `${plan.commits} commits of ${plan.branch}, by ${plan.request.history}.`,
    "",
    `Migrated-Package: ${plan.name}`,
    `Migrated-From: ${nameOf(plan)}@${plan.tip}`,
    `Migrated-To: ${tip}`,
    "",
  ].join("\n");
}

function stepsMessage(title: string, results: readonly StepResult[]): string {
  const done = results.map(
    ({ plan }) => `- ${plan.what.join("; ")} (${plan.id})`,
  );
  return `${title}\n\n${done.join("\n")}\n`;
}
