import type { CliWorld } from "@skein/reporting";
import type { Affected, AffectedPackage } from "@skein/workspaces";
import { unknownWords } from "./render/words.js";
import type { Survey } from "./survey.js";

/** The decision, and the packages that the filters select from it. */
export interface Selection {
  readonly decision: Affected;
  /** Sorted by folder. A package that only a filter selects has no reasons. */
  readonly packages: readonly AffectedPackage[];
  /** Packages that evidence removes; absent without any. */
  readonly leftOut?: readonly AffectedPackage[];
}

/** Prints the warnings about files that could not be read and about problems of the project. */
export async function warn(
  { stderr }: CliWorld,
  { warnings }: Pick<Survey, "warnings">,
): Promise<void> {
  if (warnings.length === 0) return;
  const { writeWords } = await import("@skein/reporting/wrap-words");
  for (const words of warnings) writeWords(stderr, `warning: ${words}\n`);
}

/** Decides which packages are affected, and applies the filters. It prints the survey's warnings to stderr. Ctrl-C ends it. */
export async function select(
  world: CliWorld,
  facts: Survey,
  filters: readonly string[],
  script: string | undefined,
): Promise<Selection> {
  const { settings, unknown } = facts;
  await warn(world, {
    warnings: [...facts.warnings, ...unknown.map(unknownWords)],
  });
  const { decisionSteps } = await import("@skein/workspaces/decide");
  const steps = decisionSteps({
    ...facts,
    settings: settings.affected,
    pipeline: settings.pipeline,
    script,
  });
  const { inSteps } = await import("./in-steps.js");
  const decision = await inSteps(steps, world);
  if (filters.length === 0)
    return { decision, packages: [...decision.packages.values()] };
  const { narrow } = await import("./narrow.js");
  return { decision, packages: await narrow(facts, decision, filters) };
}

/** Selects every package that matches the filters, affected or not: for `--all`. */
export async function selectAll(
  world: CliWorld,
  facts: Survey,
  filters: readonly string[],
): Promise<Selection> {
  await warn(world, facts);
  const reason = { kind: "unknown", detail: "--all" } as const;
  // The user chose all packages, so no decision about changes is needed.
  const packages = Array.from(
    facts.head.graph.workspaces.values(),
    ({ name, dir }) => ({ name, dir, reasons: [reason] }),
  );
  const decision: Affected = {
    packages: new Map(packages.map((each) => [each.name, each])),
    everything: [reason],
    noEffect: [],
  };
  if (filters.length === 0) return { decision, packages };
  const { narrow } = await import("./narrow.js");
  return { decision, packages: await narrow(facts, decision, filters) };
}
