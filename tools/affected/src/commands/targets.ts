import { ciOf } from "@skein/ci";
import { ExitCode, usageFailure } from "@skein/reporting";
import type { Command } from "../command.js";
import { select } from "../select.js";
import { survey } from "../survey.js";
import { findPull, impactedTargets, trunkBody } from "../targets.js";
import type { AffectedWorld } from "../world.js";

/**
 * Runs `affected targets`, which prints the packages that a pull request impacts, in the form of Trunk's merge queue.
 * It sends nothing.
 */
export async function targets(
  world: AffectedWorld,
  { options, script, targetBranch }: Extract<Command, { kind: "targets" }>,
): Promise<number> {
  const facts = await survey(world, { options, complete: false, script });
  const { decision } = await select(world, facts, [], script);
  const ci = ciOf(world.env);
  const event =
    ci.engine === undefined || options.pr !== undefined
      ? undefined
      : await (await import("@skein/changes/github")).readEvent(world.env);
  const pull = findPull(facts.changeset, ci, event);
  if (!pull)
    throw usageFailure("this run is not for a pull request", {
      hint: "name one: affected targets --pr owner/repo#1 --target-branch main",
    });
  const branch = targetBranch ?? pull.targetBranch;
  if (branch === undefined)
    throw usageFailure("the target branch of the pull request isn't known", {
      hint: "set it: --target-branch main",
    });
  const found = impactedTargets(decision, facts.head.graph);
  world.stdout.write(
    `${JSON.stringify(trunkBody(pull, branch, found), null, 2)}\n`,
  );
  return ExitCode.Ok;
}
