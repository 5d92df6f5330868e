import type { UnitPlan } from "@skein/runner";
import type { GraphView } from "./graph-view.js";

/**
 * Turns a plan into a graph. Scripts are the nodes, and an edge leads to a script that must pass before. Scripts that
 * the pipeline added aren't affected themselves.
 * @param packages the graph of the packages, which has their tags, owners and changes
 */
export function taskView(
  packages: GraphView,
  { units }: UnitPlan,
  script: string,
): GraphView {
  const packageOf = new Map(packages.nodes.map((node) => [node.name, node]));
  // A package without the script only affects the order of others.
  const drawn = units.filter(({ command }) => command !== undefined);
  const ids = new Set(drawn.map(({ id }) => id));
  return {
    ...packages,
    title: `${packages.title}: ${script}`,
    nouns: "scripts",
    nodes: drawn.map(({ id, workspace, dir, command = "", pulledIn }) => {
      const {
        changed,
        tags = [],
        owners = [],
      } = packageOf.get(workspace) ?? {};
      return {
        name: id,
        dir,
        affected: !pulledIn,
        ...(changed && !pulledIn && { changed }),
        reasons: [`runs: ${command}`],
        tags,
        owners,
      };
    }),
    edges: drawn.flatMap(({ id, dependsOn }) =>
      dependsOn
        .filter((other) => ids.has(other))
        .map((other) => ({
          from: id,
          to: other,
          kind: "dependencies" as const,
        })),
    ),
  };
}
