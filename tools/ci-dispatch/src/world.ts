import type { CliWorld } from "@skein/reporting";
import type { NodeProcess } from "@skein/runner";

/** What this tool knows of its process, besides what every tool does. */
export interface DispatchWorld extends CliWorld {
  /** The Node that scripts run on. */
  readonly node: NodeProcess;
  /** The id of this process. */
  readonly pid: number;
  /** From 0 to 1, another number each time. */
  readonly random: () => number;
  /** A word nobody can guess, another one each time. */
  readonly unguessable: () => string;
}
