import type { Step } from "../steps/step.js";
import { alignDependencies } from "./steps/align-versions.js";
import { coverDestination } from "./steps/cover-destination.js";
import { declarePhantoms } from "./steps/declare-phantoms.js";
import { installWorkspace } from "./steps/install-workspace.js";
import { linkWorkspaces } from "./steps/link-workspaces.js";

/** The steps of the registration in the workspace, in order. They make their own commit after the clean-up. */
export const registrationSteps: readonly Step[] = [
  coverDestination,
  linkWorkspaces,
  declarePhantoms,
  alignDependencies,
  installWorkspace,
];
