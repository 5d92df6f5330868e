import type { Crossing } from "../graph.js";

/** The path and the text of a manifest. */
export interface ManifestText {
  /** From the project's root. */
  readonly path: string;
  readonly text: string;
}

/** A line to add to a manifest. */
export interface ManifestFix {
  readonly path: string;
  /** 1-based, of the new entry. */
  readonly line: number;
  readonly field: "dependencies" | "devDependencies";
  readonly name: string;
  readonly range: string;
}

interface ProblemBase {
  /** Name of the workspace that must change. */
  readonly workspace: string;
  /** Name of the workspace that is referred to; the root's name if no other workspace owns the target. */
  readonly to: string;
  /** More packages that the same reference may mean, sorted by name; absent if there are none. */
  readonly others?: readonly string[];
  /** All places that show it, at least one: those of this kind first, each group sorted by file. */
  readonly places: readonly Crossing[];
}

/** A workspace is used by name, but the manifest doesn't declare it. */
export interface UndeclaredDependency extends ProblemBase {
  readonly kind: "undeclared-dependency";
  readonly fix: ManifestFix;
}

/** A published package needs at run time what only its devDependencies declare. */
export interface OnlyDevDependency extends ProblemBase {
  readonly kind: "only-dev-dependency";
  readonly fix: ManifestFix;
}

/** A module outside the package is loaded by its path. */
export interface PathImport extends ProblemBase {
  readonly kind: "path-import";
}

/** A symbolic link leads out of the package. */
export interface SymlinkOut extends ProblemBase {
  readonly kind: "symlink";
}

/**
 * A tool's settings or a script name a file of another package that isn't a dependency. Files that only the root owns are
 * shared on purpose.
 */
export interface SettingsOut extends ProblemBase {
  readonly kind: "settings";
}

/** A string is the path of a file in another package that isn't a dependency. */
export interface PathString extends ProblemBase {
  readonly kind: "path-string";
}

/** A problem that the audit finds. Each is an edge that `affected` counts and no manifest shows. */
export type AuditProblem =
  | UndeclaredDependency
  | OnlyDevDependency
  | PathImport
  | SymlinkOut
  | SettingsOut
  | PathString;
