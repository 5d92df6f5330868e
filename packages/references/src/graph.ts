import type { ReferenceKind } from "./reference.js";

/** What the graph must know of a workspace. */
export interface ReferringWorkspace {
  readonly name: string;
  /** Folder from the project's root, `.` for the root itself. */
  readonly dir: string;
  /** Names of every dependency its manifest declares, in any field. */
  readonly declared: ReadonlySet<string>;
}

/** One reference, where it stands and what it means. */
export interface FoundReference {
  /** The file that refers, from the project's root. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly kind: ReferenceKind;
  readonly specifier: string;
  /** Only the beginning of the target is known. */
  readonly partial: boolean;
  /** Name of the workspace that owns the file. */
  readonly from: string;
  /** The package, or the path without a script's ending, that it means. */
  readonly target:
    | { readonly kind: "package"; readonly name: string }
    | { readonly kind: "path"; readonly path: string };
}

/** A reference from one workspace into another. */
export interface Crossing extends FoundReference {
  /** Name of the workspace that owns the target. The root owns what no other does. */
  readonly to: string;
}

/** `from` refers to `to` without declaring it: an edge of the graph that no manifest shows. */
export interface SourceEdge {
  readonly from: string;
  readonly to: string;
  /** The references that say so, nearest to `from` first; more than one when it goes by way of files no package owns. */
  readonly via: readonly FoundReference[];
  /** Only asides of `from` refer to it: of no matter to those who depend on `from`. */
  readonly testOnly: boolean;
  /** They load modules of `to` that use nothing of other packages: of what `to` depends on, nothing is of matter to `from`. */
  readonly ownOnly?: true;
}

/** A package that takes up the folder of another's aside. */
export interface AsideUser {
  /** The references that say so, the one in this package first. */
  readonly via: readonly [FoundReference, ...FoundReference[]];
  /** Only asides of this package do it. */
  readonly testOnly: boolean;
}

/** Which files are tests, and which are pages of documentation, by their names: paths from their package's folder. */
export interface AsideNames {
  readonly isTest: (path: string) => boolean;
  readonly isPage: (path: string) => boolean;
  /** Whether programs look a file that no package owns up by its name: a path from the root. Left out: none is. */
  readonly isLookedUp?: (path: string) => boolean;
  /** A word for the rule: another rule has another. */
  readonly key: string;
}

/** A reference that names a package. */
export interface NamingReference {
  readonly reference: FoundReference;
  /** Only asides of its package name it. */
  readonly testOnly: boolean;
}

/** A workspace that a file matters to, and the chain of references from the workspace to the file. */
export interface Attribution {
  readonly workspace: string;
  readonly via: readonly FoundReference[];
}

/** A file that could not be read as what it is; what it refers to may be incomplete or too much. */
export interface UnparsedFile {
  readonly file: string;
  readonly reason: string;
}

/** Who refers to what, in a whole project at one point in time. */
export interface ReferenceGraph {
  /** Every reference from one workspace into another, in order of file; with `undeclared` only those that no manifest shows. */
  crossings(options?: { readonly undeclared?: boolean }): readonly Crossing[];
  /**
   * One edge for each pair of packages of which one refers to the other without declaring it, also by way of files that
   * only the root owns (`a` imports `../../shared/x`, which imports `b`). No edge ends at the root; those that start there
   * are one for each of its files: what that file is for decides whom they concern.
   */
  sourceEdges(): readonly SourceEdge[];
  /**
   * Every reference that may mean this file, from anywhere, its own package included. It need not exist: what was
   * deleted or renamed is found by what still refers to it.
   * @param path from the project's root
   */
  refersTo(path: string): readonly FoundReference[];
  /**
   * Those of `refersTo` that load or run the file, so that it is more than a test or a page of documentation. What only
   * selects files (`include` of a tsconfig, a test script, for all but pages a folder named by its own package) is left out.
   */
  importersOf(path: string): readonly FoundReference[];
  /**
   * Whether a file is a test or a page by its name, and whatever loads it is such a file of the same package: of no matter
   * to those who depend on the package. It need not exist. A package that takes up whole folders of others makes what is
   * in them nothing else: it matters to that package besides (`usersElsewhere`).
   */
  isAside(path: string): boolean;
  /** The packages that an aside matters to besides its own, one of each; its own too, where a test elsewhere leads back. */
  usersElsewhere(path: string): readonly AsideUser[];
  /**
   * Whether a reference of `refersTo(path)` stands in an aside, or in a tsconfig that takes a test of the root in: what
   * it leads to is then of no matter to those who depend on the package that holds it.
   */
  isAsideUse(reference: FoundReference, path: string): boolean;
  /**
   * Whether a reference stands in an aside, or in a source that no entry point of its package leads to: packages of the
   * project or of the registry that it leads to are of no matter to those who depend on the package that holds it.
   */
  isApart(file: string, kind: ReferenceKind): boolean;
  /** The packages that a file no package owns matters to, directly or by way of other such files; the shortest chain of each. */
  attribute(path: string): readonly Attribution[];
  /** References to a package (of the project or of the registry) from workspaces that do not declare it. */
  undeclaredImportersOf(name: string): readonly FoundReference[];
  /** The scripts of a workspace's manifest by name; undefined for one that has none. */
  scriptsOf(workspace: string): Readonly<Record<string, string>> | undefined;
  /** The workspace whose manifest offers a program of this name. */
  ownerOfBin(program: string): string | undefined;
  /**
   * References to an external package, whoever declares it: one of each file of the root, and of each other workspace
   * one, which is no aside's where there is such. What manifests declare is left out.
   */
  namersOf(external: string): readonly NamingReference[];
  /**
   * The workspaces that may run one of these programs of another language: a file of theirs, or one of the root that they
   * read, names it, or they hold a file with one of these endings.
   */
  speakersOf(
    programs: ReadonlySet<string>,
    endings: readonly string[],
  ): ReadonlySet<string>;
  /** By file: the environment variables that it names, or may name. */
  variables(): ReadonlyMap<string, readonly string[]>;
  /** Files that could not be parsed, were too large or not text. */
  readonly unparsed: readonly UnparsedFile[];
  /** Folders of workspaces that were not among those given: only where it was said how to tell. */
  readonly unlisted: readonly string[];
  /** Files whose content git does not have here (a partial clone): nothing is known of them. */
  readonly unreadable: readonly string[];
}
