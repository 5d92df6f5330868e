import { usageFailure } from "@skein/reporting";
import type { WorkspaceGraph } from "../graph.js";
import { evaluateQuery, type QueryContext } from "./evaluate.js";
import { parseQuery } from "./parse.js";
import { describeProblem } from "./problems.js";
import type { Query } from "./syntax.js";

/** A parsed filter, with its text. */
export interface Filter {
  readonly text: string;
  readonly query: Query;
}

/**
 * Parses the values of `--filter`.
 * @throws {Failure} usage, with the place of the first mistake
 */
export function readFilters(texts: readonly string[]): Filter[] {
  return texts.map((text) => {
    const parsed = parseQuery(text);
    if (parsed.ok) return { text, query: parsed.query };
    const { message, hint } = describeProblem(text, parsed.problem);
    throw usageFailure(message, hint === undefined ? {} : { hint });
  });
}

/**
 * Selects the packages that all filters select, so an additional `--filter` narrows the selection. Without filters
 * every package is selected.
 * @returns their names, in the graph's order
 * @throws {Failure} usage, with the place of the first part that matches no package
 */
export function selectPackages(
  filters: readonly Filter[],
  graph: WorkspaceGraph,
  context: QueryContext,
): ReadonlySet<string> {
  let selected: ReadonlySet<string> = new Set(graph.workspaces.keys());
  for (const { text, query } of filters) {
    const answer = evaluateQuery(query, graph, context);
    const [problem] = answer.problems;
    if (problem) {
      const { message, hint } = describeProblem(text, problem);
      throw usageFailure(message, hint === undefined ? {} : { hint });
    }
    const before = selected;
    selected = new Set([...before].filter((name) => answer.selected.has(name)));
  }
  return selected;
}

/** Returns the facts that the filters use, so that CODEOWNERS and settings are read only if necessary. */
export function factsAskedFor(
  filters: readonly Filter[],
): ReadonlySet<"affected" | "owner" | "tag"> {
  const asked = new Set<"affected" | "owner" | "tag">();
  const visit = (query: Query): void => {
    switch (query.kind) {
      case "affected":
      case "owner":
      case "tag":
        asked.add(query.kind);
        return;
      case "pattern":
        return;
      case "dependents":
      case "dependencies":
      case "complement":
        visit(query.of);
        return;
      case "union":
        query.of.forEach(visit);
        return;
      case "intersection":
      case "difference":
        visit(query.left);
        visit(query.right);
    }
  };
  for (const { query } of filters) visit(query);
  return asked;
}
