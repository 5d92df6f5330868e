import { groupBy } from "@skein/reporting/group-by";
import type { Edge, Workspace, WorkspaceGraph } from "./graph.js";

/** An error for two workspaces with the same name. Yarn refuses such a project, and the name would be ambiguous. */
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

/** The source of a graph's edges. */
export interface EdgeSource<Each extends Workspace> {
  readonly all: () => readonly Edge[];
  /**
   * Returns the edges to this name, in the order of `all`.
   * @param workspace the workspace with that name, if any
   */
  readonly into: (name: string, workspace: Each | undefined) => readonly Edge[];
}

/**
 * Builds a graph with indexes of workspaces and edges. Linear in both.
 * @param list the workspaces, including the root (`dir` = `.`)
 * @throws {DuplicateWorkspaceError} if two have the same name
 */
export function makeGraph(
  list: readonly Workspace[],
  edges: readonly Edge[],
): WorkspaceGraph {
  let byTo: ReadonlyMap<string, readonly Edge[]> | undefined;
  return graphOver(list, {
    all: () => edges,
    into: (name) => (byTo ??= groupBy(edges, ({ to }) => to)).get(name) ?? [],
  });
}

/**
 * Builds a graph whose edges are loaded on first use.
 * @throws {DuplicateWorkspaceError} if two workspaces have the same name
 */
export function graphOver<Each extends Workspace>(
  list: readonly Each[],
  edges: EdgeSource<Each>,
): WorkspaceGraph {
  const workspaces = new Map<string, Each>();
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
  // Most commands need neither.
  let all: readonly Edge[] | undefined;
  let byFrom: ReadonlyMap<string, readonly Edge[]> | undefined;
  const allEdges = () => (all ??= edges.all());
  return {
    workspaces,
    root: root.name,
    get edges() {
      return allEdges();
    },
    ownerOf(path) {
      for (let dir = path; ;) {
        const owner = byDir.get(dir);
        if (owner) return owner;
        const slash = dir.lastIndexOf("/");
        if (slash < 0) return root;
        dir = dir.slice(0, slash);
      }
    },
    dependenciesOf: (name) =>
      (byFrom ??= groupBy(allEdges(), ({ from }) => from)).get(name) ?? [],
    dependentsOf: (name) => edges.into(name, workspaces.get(name)),
  };
}

/**
 * Returns whether an edge of manifests counts if sources were read. An optional peer doesn't count: a package that uses it
 * names it in a file, and a package that provides it declares it.
 */
export function countsBesideSources({ kind }: Pick<Edge, "kind">): boolean {
  return kind !== "optionalPeer";
}
