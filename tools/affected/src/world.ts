import type { CliWorld } from "@skein/reporting";
import type { NodeProcess } from "@skein/runner";
import type { HeadStart } from "./head-start.js";

/** The process of this tool: that of every tool, and the Node that scripts run on. */
export interface AffectedWorld extends CliWorld {
  readonly node: NodeProcess;
  /** Returns an unguessable word. */
  readonly token: () => string;
  /** The processes of git that started before the command line was parsed. */
  readonly early?: HeadStart | undefined;
}
