import type { Crossing } from "../graph.js";

/** A manifest as it is written. */
export interface ManifestText {
  /** From the project's root. */
  readonly path: string;
  readonly text: string;
}

/** A line that would be put into a manifest. */
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
  /** Name of the workspace that is referred to; the root's where no other owns the target. */
  readonly to: string;
  /** More packages that the same reference may mean, in order of name; left out where there are none. */
  readonly others?: readonly string[];
  /** Every place that shows it, at least one: those of this kind first, each in order of file. */
  readonly places: readonly Crossing[];
}

/** A workspace is used by name and its manifest does not say so. */
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

/** A tool's settings or a script name a file of another package that is not a dependency. What only the root owns is shared by intent. */
export interface SettingsOut extends ProblemBase {
  readonly kind: "settings";
}

/** A string is the path of a file in another package that is not a dependency. */
export interface PathString extends ProblemBase {
  readonly kind: "path-string";
}

/** What the audit finds. Each is an edge that `affected` counts and no manifest shows. */
export type AuditProblem =
  | UndeclaredDependency
  | OnlyDevDependency
  | PathImport
  | SymlinkOut
  | SettingsOut
  | PathString;
