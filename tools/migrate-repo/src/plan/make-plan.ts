import { nestedPackages, type Facts } from "../survey/facts.js";
import type { BranchPlan, TagPlan } from "../migration.js";
import { branchRef } from "../names/names.js";
import type { Plan } from "./plan.js";
import { refuseContent } from "../refusals/content.js";
import { refusePlacements } from "../refusals/destination.js";
import { refused, type Refused } from "../refusals/index.js";
import { refRefusals } from "../refusals/refs.js";
import { decideTagNames, planTag } from "../names/tag-names.js";
import { warn } from "./warnings.js";

/** A plan, or the reasons against one. */
export type Decision = { readonly kind: "plan"; readonly plan: Plan } | Refused;

/** Makes the plan, or refuses. The same facts give the same plan; a refusal has a reason and a hint. */
export function makePlan(facts: Facts): Decision {
  const misplaced = refusePlacements(facts);
  // Everything that the first migration made would cause a further refusal.
  if (misplaced.some(({ code }) => code === "already-migrated"))
    return refused(...misplaced);
  const tags = planTags(facts);
  const branches = planBranches(facts);
  const refusals = [
    ...misplaced,
    ...refuseContent(facts),
    ...refRefusals(
      [
        ...tags.map(({ from, to }) => ({ from, to })),
        ...branches.map(({ from, to }) => ({ from, to })),
      ],
      facts.target.refs,
    ),
  ];
  if (refusals.length > 0) return refused(...refusals);
  return {
    kind: "plan",
    plan: {
      request: facts.request,
      name: facts.name,
      names: namesOf(facts),
      nested: nestedPackages(facts),
      source: facts.address,
      branch: facts.branch,
      tip: facts.tip,
      commits: facts.commits,
      files: facts.tipFacts.files,
      placements: facts.placements,
      target: {
        branch: facts.target.branch ?? "",
        head: facts.target.head ?? "",
      },
      tags,
      branches,
      lfs: facts.request.allow.includes("lfs") ? [] : facts.history.lfs,
      pulls: undefined,
      warnings: warn(facts, facts.tags.length - tags.length),
    },
  };
}

/** Returns the names of the migrated packages; the first is also the migration's name. */
function namesOf({
  name,
  placements,
  tipFacts,
}: Pick<Facts, "name" | "placements" | "tipFacts">): readonly string[] {
  const others = tipFacts.manifests.flatMap((manifest) =>
    manifest.name !== undefined &&
    placements.some(({ to }) => to === manifest.dir)
      ? [manifest.name]
      : [],
  );
  return [...new Set([name, ...others])];
}

/** Returns the tags to migrate, with their names here. */
export function planTags(
  facts: Pick<Facts, "tags" | "request" | "placements" | "name" | "tipFacts">,
): readonly TagPlan[] {
  const { tags, request, placements } = facts;
  const { chosen, nameOf } = decideTagNames(
    tags.map((tag) => tag.name),
    request.tagFormat,
    namesOf(facts),
    placements.some(({ from }) => from !== ""),
  );
  return tags
    .filter((tag) => chosen.has(tag.name))
    .map((tag) => planTag(tag, nameOf(tag.name)));
}

function planBranches({ branches, placements }: Facts): readonly BranchPlan[] {
  return branches.map(({ name, id }) => ({
    from: `refs/heads/${name}`,
    to: branchRef(placements, name),
    id,
  }));
}
