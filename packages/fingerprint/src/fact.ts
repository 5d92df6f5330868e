/** What a fact is about. */
export type FactKind =
  /** A file: its mode and its content. */
  | "file"
  /** A package whose folder lies in the package's folder. */
  | "inner-package"
  /** The external packages that a package's own dependencies lead to. */
  | "lockfile"
  /** An external package that a package uses without resolving it by its own dependencies. */
  | "external"
  /** A field of the root's package.json, or of Yarn's settings. */
  | "root-field"
  /** A script of the root's package.json. */
  | "root-script"
  /** An environment variable that a file names. Its state is the environment's, not the tree's. */
  | "variable";

/** One thing that the result of a script can hang on, and its state in one tree. */
export interface Fact {
  readonly kind: FactKind;
  /** A path from the project's root, a name, a field. */
  readonly name: string;
  /** A word for its content; undefined where the content is unknown. */
  readonly state: string | undefined;
}

/** The facts of one package. */
export interface PackageFacts {
  /** Facts that concern the package alone: its tests, settings of its linter. */
  readonly own: readonly Fact[];
  /** Facts that concern its dependents too. */
  readonly spreading: readonly Fact[];
}

/** `from` depends on `to`; both are names of packages. */
export interface FactEdge {
  readonly from: string;
  readonly to: string;
  /** Only tests of `from` use `to`, so dependents of `from` don't. */
  readonly testOnly?: boolean;
  /** `from` uses files of `to` that use no other package, so only the facts of `to` itself count. */
  readonly ownOnly?: boolean;
}

/** All facts of one tree, for one script. */
export interface TreeFacts {
  /** Facts that concern every package. */
  readonly everything: readonly Fact[];
  /** By the name of a package. */
  readonly packages: ReadonlyMap<string, PackageFacts>;
  readonly edges: readonly FactEdge[];
}
