import type { Change, Unknown } from "@skein/changes";
import type { Edge } from "../graph.js";
import type { Project } from "../project.js";
import type { AffectedSettings, Settings } from "../settings/settings.js";
import type { Referrer } from "./reason.js";
import type { Scripts } from "./programs/units.js";

/** A reference that may use a path. */
export interface User {
  readonly referrer: Referrer;
  /** It is in an aside, so it doesn't matter to packages that depend on the package that contains it. */
  readonly testOnly: boolean;
  /** It is an open end: only the beginning of its target is known. */
  readonly isGuess?: true;
  /** It is in a source that no entry point reaches, so its target doesn't matter to them either. */
  readonly isApart?: true;
  /** If it means the path through a folder that contains it: that folder, "" for the root. */
  readonly folder?: string;
  /** A tsconfig of the root lists it: only packages that use this list count. */
  readonly isListed?: true;
  /** A pattern with which settings select files: it uses none of them. */
  readonly isSelection?: true;
  /** Nothing that the file refers to matters. */
  readonly isSearched?: true;
  /** It reads the manifests of all workspaces: a command that compares them, or a program that lists them for its users. */
  readonly ofManifests?: "checks" | "lists";
  /** It loads a manifest, and uses only these fields of it. */
  readonly fields?: readonly string[];
  /** It is in the settings of a tool in a manifest. */
  readonly isSetting?: true;
  /** It is in this script of a package's manifest, which only tests or checks by its name. */
  readonly check?: string;
}

/** A file that names an external package. */
export interface ExternalReference {
  /** The package that owns the file; the root owns files that no other package owns. */
  readonly workspace: string;
  /** Returns how it names the package, which takes far longer to determine than that it does. */
  user(): User;
}

/** The references of files, as far as they have been read. */
export interface References {
  /** Edges between workspaces that no manifest declares: imports by name, paths that leave a package, symlinks. */
  readonly edges: readonly Edge[];
  /** Returns `onward` of the declared edges from one workspace to another; undefined if it isn't known. */
  onwardOf(from: string, to: string): readonly string[] | undefined;
  /**
   * Returns the references with which a file or its package may use a path (from the project's root). The aliases of a
   * root's tsconfig use none.
   */
  usersOf(path: string): readonly User[];
  /** Returns those that load or run it, so that it is more than a test or a page of documentation. */
  loadersOf(path: string): readonly Referrer[];
  /**
   * For an aside (a test or a page by its name that only such files of its package load), returns the references with which
   * other packages use it; undefined for any other file.
   */
  usersOfAside(path: string): readonly User[] | undefined;
  /** Returns whether Yarn's settings name a file: a plug-in, Yarn itself, variables. Yarn reads it before every script. */
  isOfYarn(path: string): boolean;
  /** Returns whether a tsconfig lists files itself, so that it doesn't take the list of the one that it extends. */
  listsFiles(tsconfig: string): boolean;
  /** Folders of packages with a tsconfig.json of their own. It is read only if an unowned tsconfig.json changed. */
  readonly tsconfigFolders: ReadonlySet<string>;
  /** Returns the scripts of a workspace's manifest; undefined for a workspace without scripts here. */
  scriptsOf(workspace: string): Scripts | undefined;
  /** Returns the workspaces whose files call a script of this name, which may belong to another package. */
  callersOf(script: string): ReadonlySet<string>;
  /** Returns the calls of a script of the root by other workspaces, each with the workspace's name. */
  callsOfRootScript(
    script: string,
  ): readonly (readonly [workspace: string, call: Referrer])[];
  /** Returns the workspace whose manifest provides a program of this name. */
  ownerOfBin(program: string): string | undefined;
  /**
   * Returns the places outside manifests' dependencies that name an external package.
   * @param hasTypes whether a package in `@types` contains its types, so that `types` of a tsconfig means that one
   */
  referencesToExternal(
    external: string,
    hasTypes?: boolean,
  ): readonly ExternalReference[];
  /**
   * Returns the workspaces that may run one of these programs of another language, whose sources have one of these endings.
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
  /** Returns whether a program loads only modules of Node and files that it names, all of them like itself. */
  isClosed(path: string): boolean;
  /** Returns the commands of a shell script, as a manifest would contain them; undefined if not all of them are known. */
  shellOf(path: string): string | undefined;
  /** Returns whether git has a file: a path from the project's root. */
  hasFile(path: string): boolean;
  /** Paths of files that could not be read. They may refer to any changed file, so they count as changed. */
  readonly unreadable: readonly string[];
}

/** All inputs of the decision; it reads nothing else. */
export interface AffectedInput {
  /** The project at the base; undefined if there was none. */
  readonly base: Project | undefined;
  readonly head: Project;
  /** Paths from the project's root; outside it they begin with `../`. */
  readonly changes: readonly Change[];
  readonly unknown: readonly Unknown[];
  readonly settings: AffectedSettings;
  /** The selection is for this script: its `inputs` count. Undefined selects for any script. */
  readonly script: string | undefined;
  /** The scripts that must run before each script: their `inputs` count too. */
  readonly pipeline?: Settings["pipeline"];
  /** Undefined if source files were not read (`--no-source-edges`); then no file is treated as an aside. */
  readonly references: References | undefined;
}
