import type { Change, Unknown } from "@skein/changes";
import type { Edge } from "../graph.js";
import type { Project } from "../project.js";
import type { AffectedSettings, Settings } from "../settings/settings.js";
import type { Referrer } from "./reason.js";
import type { Scripts } from "./units.js";

/** A reference by which a path may be used. */
export interface User {
  readonly referrer: Referrer;
  /** It stands in an aside: of no matter to those who depend on the package that holds it. */
  readonly testOnly: boolean;
  /** It stands in a source that no entry point reaches: what the path refers to is of no matter to them either. */
  readonly isApart?: true;
  /** Where it means the path by a folder that holds it: that folder, "" for the root. */
  readonly folder?: string;
  /** A pattern by which settings choose files: it uses none of them. */
  readonly isSelection?: true;
  /** It stands among the settings of a tool in a manifest. */
  readonly isSetting?: true;
}

/** A file that names an external package. */
export interface Namer {
  /** The package that owns the file; the root owns what no other does. */
  readonly workspace: string;
  readonly user: User;
}

/** What files refer to, as far as it has been read. */
export interface References {
  /** Edges among workspaces that no manifest declares: imports by name, paths that leave a package, symlinks. */
  readonly edges: readonly Edge[];
  /**
   * The references by which a file or its package may use a path (from the project's root): what only lists files,
   * like a tsconfig's `include`, counts where a package does so, not where the root does.
   */
  usersOf(path: string): readonly User[];
  /** Those that load or run it, so that it is more than a test or a page of documentation. */
  loadersOf(path: string): readonly Referrer[];
  /**
   * Of an aside (a test or a page by its name, and whatever loads it is such a file of the same package) the references by
   * which other packages take it up with its folder; undefined for what is none.
   */
  usersOfAside(path: string): readonly User[] | undefined;
  /** Folders of packages with a tsconfig.json of their own. Asked only where an unowned one changed. */
  readonly tsconfigFolders: ReadonlySet<string>;
  /** The scripts of a workspace's manifest; undefined for a workspace that has none here. */
  scriptsOf(workspace: string): Scripts | undefined;
  /** The workspace whose manifest offers a program of this name. */
  ownerOfBin(program: string): string | undefined;
  /** The places outside of manifests' dependencies that name an external package. */
  namersOf(external: string): readonly Namer[];
  /** The workspaces that may run one of these programs of another language, whose sources have one of these endings. */
  speakersOf(
    programs: ReadonlySet<string>,
    endings: readonly string[],
  ): ReadonlySet<string>;
  /** How many files could not be read: what they use is unknown. */
  readonly unreadable: number;
}

/** Everything the decision needs; it reads nothing else. */
export interface AffectedInput {
  /** The project at base; undefined where there was none. */
  readonly base: Project | undefined;
  readonly head: Project;
  /** Paths from the project's root; outside it they begin with `../`. */
  readonly changes: readonly Change[];
  readonly unknown: readonly Unknown[];
  readonly settings: AffectedSettings;
  /** Selects for this script: its `inputs` count. Undefined selects for any script. */
  readonly script: string | undefined;
  /** What must run before each script: the `inputs` of these scripts count too. */
  readonly pipeline?: Settings["pipeline"];
  /** Undefined where source files were not read (`--no-source-edges`): then nothing is taken for an aside. */
  readonly references: References | undefined;
}
