import type { Step } from "./step.js";

/** The clean-up, in order. Adding a step is adding a file and a line. */
export const steps: readonly Step[] = [];
