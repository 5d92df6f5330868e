/** The subject of a fact. */
export type FactKind =
  /** A file: its mode and its content. */
  | "file"
  /** A package whose folder is in the package's folder. */
  | "inner-package"
  /** The external packages that a package's own dependencies lead to. */
  | "lockfile"
  /** An external package that a package uses without resolving it by its own dependencies. */
  | "external"
  /** A field of the root's package.json, or of Yarn's settings. */
  | "root-field"
  /** A script of the root's package.json. */
  | "root-script"
  /** An environment variable that a file names. Its state comes from the environment, not from the tree. */
  | "variable";

/** Something that the result of a script may depend on, with its state in one tree. */
export interface Fact {
  readonly kind: FactKind;
  /** A path relative to the project's root, a name or a field. */
  readonly name: string;
  /** A word that identifies its content; undefined if the content is unknown. */
  readonly state: string | undefined;
  /**
   * For a file of the package itself, and for its external packages (`EXTERNALS`), the stem of the path: it doesn't matter to
   * dependents whose edges have other `reads`. @see compileReads
   */
  readonly stem?: string;
  /** The file may take effect although nothing reads it by a known path. */
  readonly isUnread?: true;
}

/** The facts of one package. */
export interface PackageFacts {
  /** Facts that matter only for the package itself: its tests, settings of its linter. */
  readonly own: readonly Fact[];
  /** Facts that matter for its dependents too. */
  readonly spreading: readonly Fact[];
}

/** `from` depends on `to`; both are names of packages. */
export interface FactEdge {
  readonly from: string;
  readonly to: string;
  /** Whether only tests of `from` use `to`. Then dependents of `from` don't depend on `to` by this edge. */
  readonly testOnly?: boolean;
  /**
   * The names of the packages that those files of `to` use which `from` uses. Other edges of `to` don't count for `from`.
   * Undefined if all of them count.
   */
  readonly onward?: readonly string[];
  /**
   * The stems of the files of `to` that `from` reads; a folder, with everything below it, ends with `/`, and an end of stems
   * begins with `*`. Undefined if it may read all of them.
   */
  readonly reads?: readonly string[];
  /** No other file of `to` takes effect, even unread. */
  readonly readsOnly?: true;
}

/** All facts of one tree, for one script. */
export interface TreeFacts {
  /** Facts that matter for every package. */
  readonly everything: readonly Fact[];
  /** By the name of a package. */
  readonly packages: ReadonlyMap<string, PackageFacts>;
  readonly edges: readonly FactEdge[];
}
