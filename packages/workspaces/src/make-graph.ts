import type { Edge, Workspace, WorkspaceGraph } from "./graph.js";

/** Two workspaces of one name: Yarn refuses such a project, and a name could mean either. */
export class DuplicateWorkspaceError extends Error {
  override readonly name = "DuplicateWorkspaceError";
  readonly workspace: string;
  readonly dirs: readonly [string, string];

  constructor(workspace: string, dirs: readonly [string, string]) {
    super(`${workspace} is in ${dirs.join(" and ")}`);
    this.workspace = workspace;
    this.dirs = dirs;
  }
}

/**
 * Indexes workspaces and edges for asking. Linear in both.
 * @param list the workspaces, the root (`dir` = `.`) among them
 * @throws {DuplicateWorkspaceError} when two have the same name
 */
export function makeGraph(
  list: readonly Workspace[],
  edges: readonly Edge[],
): WorkspaceGraph {
  const workspaces = new Map<string, Workspace>();
  const byDir = new Map<string, Workspace>();
  for (const workspace of list.toSorted((a, b) => (a.dir < b.dir ? -1 : 1))) {
    const other = workspaces.get(workspace.name);
    if (other)
      throw new DuplicateWorkspaceError(workspace.name, [
        other.dir,
        workspace.dir,
      ]);
    workspaces.set(workspace.name, workspace);
    byDir.set(workspace.dir, workspace);
  }
  const root = byDir.get(".") ?? { name: "", dir: "." };
  const byFrom = new Map<string, Edge[]>();
  const byTo = new Map<string, Edge[]>();
  for (const edge of edges) {
    push(byFrom, edge.from, edge);
    push(byTo, edge.to, edge);
  }
  return {
    workspaces,
    root: root.name,
    edges,
    ownerOf(path) {
      for (let dir = path; ;) {
        const owner = byDir.get(dir);
        if (owner) return owner;
        const slash = dir.lastIndexOf("/");
        if (slash < 0) return root;
        dir = dir.slice(0, slash);
      }
    },
    dependenciesOf: (name) => byFrom.get(name) ?? [],
    dependentsOf: (name) => byTo.get(name) ?? [],
  };
}

function push(index: Map<string, Edge[]>, key: string, edge: Edge): void {
  const list = index.get(key);
  if (list) list.push(edge);
  else index.set(key, [edge]);
}
