import type { WorkspaceGraph } from "./graph.js";
import type { Lockfile } from "./lockfile/lockfile.js";
import type { LockResolver, ResolutionContext } from "./lockfile/resolver.js";
import type { Dependency, Manifest } from "./manifest/manifest.js";

/** A workspace with its dependencies, before edges are drawn. */
export interface PackageFacts {
  readonly name: string;
  /** The folder from the project's root; `.` is the root. */
  readonly dir: string;
  readonly dependencies: readonly Dependency[];
  /** Read only if yarn.lock doesn't contain enough. */
  readonly manifest?: Manifest;
}

/**
 * A file or folder that a workspace depends on (link:, portal:, file:, patch:), inside the repository but in no
 * workspace.
 */
export interface PathTarget {
  readonly workspace: string;
  /** The path from the project's root, which may begin with `../`. */
  readonly path: string;
  readonly evidence: string;
}

/**
 * By workspace: the names of other workspaces that its external packages, at any depth, depend on at a version from the
 * registry. An alias of a compiler or of a test runner leads such imports to the workspaces.
 */
export type NamedByExternals = ReadonlyMap<string, ReadonlySet<string>>;

/** yarn.lock, and everything that resolving dependencies needs. */
export interface LockState extends ResolutionContext {
  readonly lockfile: Lockfile;
  readonly text: string;
  readonly resolver: LockResolver;
  /** Everything else in .yarnrc.yml. */
  readonly yarnSettingsRest: string;
}

/** A project at one point in time: its packages, their dependencies, and the lockfile that contains them. */
export interface Project {
  readonly root: Manifest;
  readonly packages: readonly PackageFacts[];
  readonly graph: WorkspaceGraph;
  readonly pathTargets: readonly PathTarget[];
  readonly namedByExternals: NamedByExternals;
  /**
   * Globs of the root's `workspaces` that match no known workspace: none in yarn.lock, and none whose manifest was
   * read. A workspace that is missing in yarn.lock may still match.
   */
  readonly unmatchedGlobs: readonly string[];
  /**
   * Undefined if the project has no yarn.lock of Yarn 2 or later, and in a cached project, whose yarn.lock did not
   * change.
   */
  readonly lock: LockState | undefined;
  /** npm's package-lock.json, if the project has no yarn.lock. It is only compared; no edge comes from it. */
  readonly npmLock?: LockState;
}

/** Returns what is needed to run the scripts of each package. */
export function runnable({ packages }: Pick<Project, "packages">) {
  return packages.map(({ name, dir, manifest }) => {
    const version = manifest?.fields["version"];
    return {
      name,
      dir,
      scripts: manifest?.scripts ?? {},
      ...(typeof version === "string" && { version }),
    };
  });
}
