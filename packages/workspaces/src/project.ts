import type { WorkspaceGraph } from "./graph.js";
import type { Lockfile } from "./lockfile/lockfile.js";
import type { LockResolver, ResolutionContext } from "./lockfile/resolver.js";
import type { Dependency, Manifest } from "./manifest/manifest.js";

/** What is known of a workspace before edges are drawn. */
export interface PackageFacts {
  readonly name: string;
  /** From the project's root; `.` is the root. */
  readonly dir: string;
  readonly dependencies: readonly Dependency[];
  /** Read only where something needs more than yarn.lock tells. */
  readonly manifest?: Manifest;
}

/** A file or folder inside the repository, but in no workspace, that a workspace depends on (link:, portal:, file:, patch:). */
export interface PathTarget {
  readonly workspace: string;
  /** From the project's root; may begin with `../`. */
  readonly path: string;
  readonly evidence: string;
}

/** yarn.lock with what is needed to resolve by it. */
export interface LockState extends ResolutionContext {
  readonly lockfile: Lockfile;
  readonly text: string;
  readonly resolver: LockResolver;
  /** Everything else in .yarnrc.yml. */
  readonly yarnSettingsRest: string;
}

/** A project at one point in time: its packages, who depends on whom, and the lockfile that says so. */
export interface Project {
  readonly root: Manifest;
  readonly packages: readonly PackageFacts[];
  readonly graph: WorkspaceGraph;
  readonly pathTargets: readonly PathTarget[];
  /**
   * Globs of the root's `workspaces` that no workspace matches which yarn.lock knows or whose manifest was read. Those
   * that yarn.lock does not know yet may still.
   */
  readonly unmatchedGlobs: readonly string[];
  /**
   * Undefined where the project has no yarn.lock of Yarn 2 or later, and in a kept project, whose yarn.lock did not
   * change.
   */
  readonly lock: LockState | undefined;
}

/** Yarn's locator of a workspace. */
export function locatorOf({
  name,
  dir,
}: {
  readonly name: string;
  readonly dir: string;
}): string {
  return `${name}@workspace:${dir}`;
}
