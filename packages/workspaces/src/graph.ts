import type { DependencyField } from "./manifest/manifest.js";

/**
 * The origin of an edge:
 * - a field of the manifest, resolved as Yarn resolves it;
 * - `optionalPeer`: an optional peer in the manifest. It counts only if sources were not read: a package that uses its
 *   peer names it in a file, which is an edge of kind `source`;
 * - `implicit`: `implicitDependencies` in skein.json;
 * - `source`: a file of the dependent refers to the dependency without declaring it.
 */
export type EdgeKind = DependencyField | "implicit" | "source" | "optionalPeer";

/** A dependency of `from` on `to`. Both are names of workspaces. */
export interface Edge {
  readonly from: string;
  readonly to: string;
  readonly kind: EdgeKind;
  /** The evidence: the descriptor (`@m/core@workspace:^`), or `file:line` for a source edge. */
  readonly evidence: string;
  /** Only asides of `from` use `to`. A change of `to` affects `from`, but not the dependents of `from`. */
  readonly testOnly?: true;
  /** A source edge that only open ends make, or programs whose reads aren't known. */
  readonly isGuess?: true;
  /**
   * The packages that those modules of `to` use which `from` loads, if that is known. Other undeclared dependencies of `to`
   * don't affect `from`; if this edge is undeclared too, neither do other declared ones.
   */
  readonly onward?: readonly string[];
  /**
   * The files of `to` that `from` reads, if they are known: the stems of files (`stemOf`), folders, which end with `/`, and ends
   * of stems behind a `*`.
   * `EXTERNALS` stands for the external packages that these files name. A change of another file of `to`, or of external packages
   * if they name none, doesn't affect `from` by this edge, unless the file takes effect unread (`takesEffectUnread`).
   */
  readonly reads?: readonly string[];
  /** `reads` is all that matters of `to`: no other file takes effect unread. */
  readonly readsOnly?: true;
}

/** A package of the project. */
export interface Workspace {
  /** The package's name, which is unique in a graph. A manifest without a name gets the one that Yarn generates. */
  readonly name: string;
  /** The folder from the project's root, separated by `/`; `.` for the root itself. */
  readonly dir: string;
}

/** The packages of a project at one point in time, and their dependencies, which may be cyclic. */
export interface WorkspaceGraph {
  /** All workspaces by name, including the root, sorted by folder. */
  readonly workspaces: ReadonlyMap<string, Workspace>;
  /** The root workspace's name. */
  readonly root: string;
  readonly edges: readonly Edge[];
  /**
   * Returns the workspace with the deepest folder that contains this path (from the project's root); the root if there
   * is no other.
   */
  ownerOf(path: string): Workspace;
  /** Returns the edges from this workspace to its dependencies. */
  dependenciesOf(name: string): readonly Edge[];
  /** Returns the edges from its dependents to this workspace. */
  dependentsOf(name: string): readonly Edge[];
}
