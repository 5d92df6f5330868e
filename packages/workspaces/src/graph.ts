/** The four fields of a manifest that name other packages. */
export type DependencyField =
  | "dependencies"
  | "devDependencies"
  | "peerDependencies"
  | "optionalDependencies";

/**
 * How an edge came to be:
 * - a field of the manifest, resolved as Yarn resolves it;
 * - `implicit`: `implicitDependencies` in skein.json;
 * - `source`: a file of the dependent refers to the dependency without declaring it.
 */
export type EdgeKind = DependencyField | "implicit" | "source";

/** `from` depends on `to`; both are names of workspaces. */
export interface Edge {
  readonly from: string;
  readonly to: string;
  readonly kind: EdgeKind;
  /** What says so: the descriptor (`@m/core@workspace:^`), or `file:line` for a source edge. */
  readonly evidence: string;
  /** Only asides of `from` use `to`: a change of `to` concerns `from`, and not those who depend on `from`. */
  readonly testOnly?: true;
  /** `from` uses files of `to` that use nothing of other packages: what `to` depends on does not concern `from`. */
  readonly ownOnly?: true;
}

/** A package of the project. */
export interface Workspace {
  /** The package's name; unique in a graph. A manifest without one gets Yarn's stand-in. */
  readonly name: string;
  /** Folder from the project's root, `/` between its parts, `.` for the root itself. */
  readonly dir: string;
}

/** The packages of a project at one point in time, and who depends on whom. Cycles are fine. */
export interface WorkspaceGraph {
  /** Every workspace by name, the root included, in order of folder. */
  readonly workspaces: ReadonlyMap<string, Workspace>;
  /** The root workspace's name. */
  readonly root: string;
  readonly edges: readonly Edge[];
  /** The workspace whose folder is the deepest that holds this path (from the project's root); the root if none other. */
  ownerOf(path: string): Workspace;
  /** Edges that start at this workspace: what it depends on. */
  dependenciesOf(name: string): readonly Edge[];
  /** Edges that end at this workspace: who depends on it. */
  dependentsOf(name: string): readonly Edge[];
}
