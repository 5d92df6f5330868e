import type { Step } from "../steps/step.js";

/** The registration in the workspace, in order; a commit of its own after the clean-up. */
export const registrationSteps: readonly Step[] = [];
