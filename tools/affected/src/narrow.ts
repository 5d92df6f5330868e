import {
  factsAskedFor,
  readFilters,
  selectPackages,
  tagReader,
} from "@skein/workspaces";
import type { Affected, AffectedPackage } from "@skein/workspaces";
import { readOwners } from "./project/owners.js";
import type { Survey } from "./survey.js";
import { wholeGraph } from "./project/whole-graph.js";

/** Returns the packages that all filters select, with the reasons of a decision. @throws {Failure} for a wrong filter */
export async function narrow(
  facts: Survey,
  decision: Affected,
  texts: readonly string[],
): Promise<AffectedPackage[]> {
  const filters = readFilters(texts);
  const graph = wholeGraph(facts);
  const asked = factsAskedFor(filters);
  const selected = selectPackages(filters, graph, {
    affected: new Set(decision.packages.keys()),
    ownersOf: asked.has("owner") ? await readOwners(facts) : () => [],
    tagsOf: tagReader(facts.settings.tags),
  });
  // A filter with affected() determines the whole selection. Any other filter narrows the affected packages.
  const whole = asked.has("affected");
  return [...graph.workspaces.values()]
    .filter(
      ({ name }) =>
        selected.has(name) && (whole || decision.packages.has(name)),
    )
    .map(
      ({ name, dir }) =>
        decision.packages.get(name) ?? { name, dir, reasons: [] },
    );
}
