import type { Edge, WorkspaceGraph } from "../graph.js";

/**
 * Builds a graph for tests.
 * @param folders folder by name; the first is the root
 * @param edges `from -> to` pairs
 */
export function toyGraph(
  folders: Readonly<Record<string, string>>,
  edges: readonly (readonly [from: string, to: string, kind?: Edge["kind"]])[],
): WorkspaceGraph {
  const workspaces = new Map(
    Object.entries(folders).map(([name, dir]) => [name, { name, dir }]),
  );
  const [root] = workspaces.values();
  if (!root) throw new Error("a graph has a root");
  const all: Edge[] = edges.map(([from, to, kind = "dependencies"]) => ({
    from,
    to,
    kind,
    evidence: `${to}@workspace:^`,
  }));
  return {
    workspaces,
    root: root.name,
    edges: all,
    ownerOf: () => root,
    dependenciesOf: (name) => all.filter(({ from }) => from === name),
    dependentsOf: (name) => all.filter(({ to }) => to === name),
  };
}
