import type { Change, Unknown } from "@skein/changes";
import type { Edge } from "../graph.js";
import type { Project } from "../project.js";
import type { AffectedSettings } from "../settings/settings.js";
import type { Referrer } from "./reason.js";

/** What files refer to, as far as it has been read. */
export interface References {
  /** Edges among workspaces that no manifest declares: imports by name, paths that leave a package, symlinks. */
  readonly edges: readonly Edge[];
  /** The files that refer to a path (from the project's root); asked for every path in `pathsInQuestion`. */
  referrersOf(path: string): readonly Referrer[];
  /** Whether the project holds this file at head. */
  exists(path: string): boolean;
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
  /** Undefined where source files were not read (`--no-source-edges`): then nothing is taken for a mere test. */
  readonly references: References | undefined;
}
