import type { ReferenceKind } from "./reference.js";

/** The facts about a workspace that the graph needs. */
export interface ReferringWorkspace {
  readonly name: string;
  /** Folder from the project's root, `.` for the root itself. */
  readonly dir: string;
  /** The names of all dependencies that its manifest declares, in any field. */
  readonly declared: ReadonlySet<string>;
  /** Those of them that are only optional peers: a use of such a package shows only in a file that names it. */
  readonly optionalPeers?: ReadonlySet<string>;
  /** The names of other workspaces that its external packages, at any depth, depend on. */
  readonly namedByExternals?: ReadonlySet<string> | undefined;
}

/** One reference, with its place and its target. */
export interface FoundReference {
  /** The file that refers, from the project's root. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly kind: ReferenceKind;
  readonly specifier: string;
  /** Only the beginning of the target is known. */
  readonly partial: boolean;
  /**
   * The ending that all targets of a partial reference have, if it is known; otherwise the fields of a manifest that the program
   * uses, with slashes between them.
   */
  readonly suffix?: string;
  /** Nothing that the file refers to matters. */
  readonly isSearched?: true;
  /** Name of the workspace that owns the file. */
  readonly from: string;
  /** The package that it means, or the path without a script's ending. */
  readonly target:
    | { readonly kind: "package"; readonly name: string }
    | { readonly kind: "path"; readonly path: string };
}

/** A reference from one workspace into another. */
export interface Crossing extends FoundReference {
  /** Name of the workspace that owns the target. The root owns paths that no other workspace owns. */
  readonly to: string;
}

/** `from` refers to `to` without declaring it: an edge of the graph that no manifest shows. */
export interface SourceEdge {
  readonly from: string;
  readonly to: string;
  /**
   * The references of this edge, nearest to `from` first; more than one if the edge passes through files that no package
   * owns.
   */
  readonly via: readonly FoundReference[];
  /** Only asides of `from` refer to it, so it doesn't matter to packages that depend on `from`. */
  readonly testOnly: boolean;
  /** Only open ends lead to it: references whose beginning is known, and not their end. */
  readonly isGuess?: true;
  /** Only these scripts of `from`'s manifest refer to it, which only test or check by their names. */
  readonly checks?: readonly string[];
  /**
   * The names of the packages that the modules of `to` use which the references load. Other dependencies of `to` don't matter
   * to `from`. Undefined if it isn't known which modules they load, or what these use.
   */
  readonly onward?: readonly string[];
  /**
   * The files of `to` that the references lead to, and those that these load, sorted; a folder, with everything below it, ends
   * with `/`, and files of which only the end is known begin with `*`. `EXTERNALS` is one of them if they name external packages. Undefined if
   * `from` may read others, too.
   */
  readonly files?: readonly string[];
  /** `files` are all that matters of `to`: no other file takes effect unread, such as settings. */
  readonly readsOnly?: true;
}

/** A declared dependency of `from` on `to`, if `from` uses only some modules of `to`. */
export interface NarrowedUse {
  readonly from: string;
  readonly to: string;
  /**
   * The names of the packages that these modules use. Of the undeclared dependencies of `to`, only those on these packages
   * matter to `from`.
   */
  readonly onward: readonly string[];
}

/** The edges that files make. */
export interface FoundEdges {
  /**
   * One or two edges for each pair of packages if one refers to the other without declaring it, also through files that only the
   * root owns (`a` imports `../../shared/x`, which imports `b`). No edge ends at the root. There is one edge for
   * each package and each file of the root that refers to it and that programs may look up (`mayBeLookedUp`), since the
   * file's purpose determines whom it concerns.
   */
  readonly edges: readonly SourceEdge[];
  /** At most one for each pair of packages. */
  readonly narrowed: readonly NarrowedUse[];
}

/** A package that uses the folder of another package's aside. */
export interface AsideUser {
  /** The references, the one in this package first. */
  readonly via: readonly [FoundReference, ...FoundReference[]];
  /** Only asides of this package use it. */
  readonly testOnly: boolean;
}

/**
 * Decides by name which files are tests, and which are pages of documentation. Paths are from their package's folder.
 */
export interface AsideNames {
  readonly isTest: (path: string) => boolean;
  readonly isPage: (path: string) => boolean;
  /** Whether programs look up a file that no package owns by its name: a path from the root. Default: none does. */
  readonly isLookedUp?: (path: string) => boolean;
  /**
   * Whether any program may look up a file that no package owns by its name, known or not: other files of the root make no
   * edges from the root. Default: any file.
   */
  readonly mayBeLookedUp?: (path: string) => boolean;
  /** A key of the rule: another rule has another key. */
  readonly key: string;
}

/** A workspace, or a file of the root, that names a package. */
export interface NamingReference {
  /** The workspace that owns the file. */
  readonly from: string;
  /**
   * Returns one of its references: one outside asides, if there is one. It determines the asides, which takes far longer than
   * everything else here.
   * @returns `testOnly` if only asides name the package
   */
  look(): { readonly reference: FoundReference; readonly testOnly: boolean };
}

/** A file that could not be parsed. Its references may be incomplete, or too many. */
export interface UnparsedFile {
  readonly file: string;
  readonly reason: string;
}

/** The references of a whole project at one point in time. */
export interface ReferenceGraph {
  /**
   * Returns all references from one workspace into another, sorted by file; with `undeclared`, only those that no manifest
   * shows.
   */
  crossings(options?: { readonly undeclared?: boolean }): readonly Crossing[];
  /** Returns the edges that no manifest shows, and what is known of declared ones. */
  edges(): FoundEdges;
  /**
   * Returns all references that may mean this file, also from its own package. The file need not exist: references to a
   * deleted or renamed file are found too.
   * @param path from the project's root
   */
  refersTo(path: string): readonly FoundReference[];
  /**
   * Returns those of `refersTo` that load or run the file, so that it is more than a test or a page of documentation.
   * References that only select files are ignored: `include` of a tsconfig, a test script, and a folder of tests that its own
   * package names, unless a source names it for its data.
   */
  importersOf(path: string): readonly FoundReference[];
  /**
   * Whether a file is a test or a page by its name, and all files of its package that load it are such files; it then doesn't
   * matter to packages that depend on the package. It need not exist. It also matters to other packages that load it
   * (`usersElsewhere`).
   */
  isAside(path: string): boolean;
  /**
   * Returns the other packages to which an aside matters, each once; also its own package, if a test elsewhere leads back to
   * it.
   */
  usersElsewhere(path: string): readonly AsideUser[];
  /**
   * Whether a reference of `refersTo(path)` is in an aside, or in a tsconfig that includes a test of the root. Its target
   * then doesn't matter to packages that depend on the package that contains it.
   */
  isAsideUse(reference: FoundReference, path: string): boolean;
  /**
   * Whether a reference is in an aside, or in a source that no entry point of its package leads to. The packages of the
   * project or of the registry that it leads to then don't matter to packages that depend on the package that contains it.
   */
  isApart(file: string, kind: ReferenceKind): boolean;
  /** Returns references to a package (of the project or of the registry) from workspaces that don't declare it. */
  undeclaredImportersOf(name: string): readonly FoundReference[];
  /** Returns the scripts of a workspace's manifest by name; undefined if it has none. */
  scriptsOf(workspace: string): Readonly<Record<string, string>> | undefined;
  /**
   * Returns the script of a package's manifest that contains a reference, if it only tests or checks by its name; otherwise
   * undefined.
   */
  checkAround(reference: FoundReference): string | undefined;
  /** Returns the workspaces whose files call a script of this name, which may belong to another package. */
  callersOf(script: string): ReadonlySet<string>;
  /** Returns the calls of a script of the root by other workspaces, each with the workspace's name. */
  callsOfRootScript(
    script: string,
  ): readonly (readonly [workspace: string, call: FoundReference])[];
  /** Returns the workspace whose manifest provides a program of this name. */
  ownerOfBin(program: string): string | undefined;
  /**
   * Returns references to an external package, declared or not: one for each file of the root, and one for each other
   * workspace, if possible not in an aside. Declarations in manifests are ignored.
   * @param hasTypes whether a package in `@types` contains its types, so that `types` of a tsconfig means that one
   */
  referencesToExternal(
    external: string,
    hasTypes?: boolean,
  ): readonly NamingReference[];
  /**
   * Returns the workspaces that may run one of these programs of another language: one of their files, or a file of the root
   * that they read, names the program, or they have a file with one of these endings.
   */
  languageUsersOf(
    programs: ReadonlySet<string>,
    endings: readonly string[],
  ): ReadonlySet<string>;
  /**
   * Returns the workspaces that may call one of these external packages: one of their files, or a file of the root that they
   * read, names it. Declarations in manifests are ignored.
   */
  namersOf(externals: readonly string[]): ReadonlySet<string>;
  /**
   * Returns whether a program is closed: it and all files that it loads only load modules of Node and files that they name, and
   * read no folder that contains packages.
   * @param path from the project's root
   */
  isClosed(path: string): boolean;
  /**
   * Returns the commands of a shell script in the form of a script in a manifest; undefined if not all of them are known.
   * @param path from the project's root
   */
  shellOf(path: string): string | undefined;
  /** Returns whether git has a file: a path from the project's root, with its ending. */
  hasFile(path: string): boolean;
  /** Returns the paths that a file names, without a script's ending. */
  pathsIn(file: string): readonly string[];
  /** Returns whether a tsconfig lists files itself, so that it doesn't take the list of the one that it extends. */
  listsFiles(tsconfig: string): boolean;
  /** Returns the environment variables that each file names, or may name, by file. */
  variables(): ReadonlyMap<string, readonly string[]>;
  /** Files that could not be parsed, were too large or aren't text. */
  readonly unparsed: readonly UnparsedFile[];
  /** Folders of workspaces that weren't given; only if `isWorkspace` was given. */
  readonly unlisted: readonly string[];
  /** Files whose content git doesn't have here (a partial clone): nothing is known of them. */
  readonly unreadable: readonly string[];
}
