import type { CliWorld } from "@skein/reporting";
import type { NodeProcess } from "@skein/runner";

/** The process of this tool, in addition to the properties that every tool uses. */
export interface DispatchWorld extends CliWorld {
  /** The Node that runs scripts. */
  readonly node: NodeProcess;
  /** The id of this process. */
  readonly pid: number;
  /** Returns a random number from 0 to 1. */
  readonly random: () => number;
  /** Returns an unguessable random word. */
  readonly unguessable: () => string;
  /** Makes this process collect garbage early, so that it needs less memory. Metrics of large stores call it. */
  readonly collectEarly: () => void;
}
