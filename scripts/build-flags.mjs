import { availableParallelism } from "node:os";

/**
 * Flags of `tsc -b` for this machine. Four checkers per project, the default, repeat a fifth of the work. That only pays on more
 * than two cores.
 */
export const buildFlags = availableParallelism() > 2 ? [] : ["--checkers", "1"];
