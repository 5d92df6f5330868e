import type { CliWorld } from "@skein/reporting";
import type { NodeProcess } from "@skein/runner";
import type { HeadStart } from "./head-start.js";

/** What this tool knows of its process, besides what every tool does: the Node that scripts run on. */
export interface AffectedWorld extends CliWorld {
  readonly node: NodeProcess;
  /** Makes a word that nobody can guess. */
  readonly token: () => string;
  /** What git was asked before the command line was parsed. */
  readonly begun?: HeadStart | undefined;
}
