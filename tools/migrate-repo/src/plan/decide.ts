import type { SourceFacts } from "../survey/facts.js";
import { makePlan, type Decision } from "./make-plan.js";
import type { MigrationRequest, SourceAddress } from "../migration.js";
import { pullSourceOf, type PullSource } from "../pulls/pull-source.js";
import type { Quarantine } from "../quarantine/quarantine.js";
import { refused, type Refusal, type Refused } from "../refusals/index.js";
import { refuseRequest } from "../refusals/request.js";
import { refuseTarget } from "../refusals/target.js";
import { registrationSteps } from "../registration/index.js";
import { steps } from "../steps/index.js";
import { surveyDestination } from "../survey/destination.js";
import { findAddress } from "../survey/find-address.js";
import type { TargetFacts } from "../survey/target.js";
import type { MigrateWorld } from "../world.js";

/** Decides as much as possible without a quarantine: from the request and from the target. */
export async function decideEarly(
  request: MigrationRequest,
  target: TargetFacts,
  world: Pick<MigrateWorld, "cwd" | "env">,
  pendingMigration: string | undefined,
): Promise<
  | {
      readonly kind: "address";
      readonly address: SourceAddress;
      /** Undefined if pull requests weren't requested. */
      readonly pullSource: PullSource | undefined;
    }
  | Refused
> {
  const address = await findAddress(request.source, world.cwd);
  const asked = request.prs || request.transplant;
  const pullSource =
    asked && !("code" in address)
      ? pullSourceOf(request.github, address.fetchFrom, world.env)
      : undefined;
  const refusals: readonly Refusal[] = [
    ...("code" in address ? [address] : []),
    ...(asked && !pullSource
      ? [{ code: "no-github" as const, given: request.github }]
      : []),
    ...refuseRequest(
      request,
      [...steps, ...registrationSteps].map(({ id }) => id),
    ),
    ...refuseTarget(target, request, pendingMigration),
  ];
  if ("code" in address || refusals.length > 0) return refused(...refusals);
  return { kind: "address", address, pullSource };
}

/**
 * Decides from the facts about the source, and from the current target.
 * @param quarantine a repository that can read the target's objects
 */
export async function decide(
  facts: SourceFacts,
  target: TargetFacts,
  { git }: Pick<Quarantine, "git">,
): Promise<Decision> {
  const { topLevel, head } = target;
  if (topLevel === undefined || head === undefined)
    throw new Error("refuseTarget lets no such target through");
  const destinations = await Promise.all(
    facts.placements.map(({ to }) =>
      surveyDestination(target.git, git, topLevel, head, to),
    ),
  );
  return makePlan({ ...facts, target, destinations });
}
