import type { Command as Program } from "commander";
import type { EventSource } from "../../metrics/action.js";

/** The options that commander passes to the action of a command that stores events. */
export interface PlaceFlags {
  readonly remote: string;
  readonly branch: string;
  readonly to?: string;
}

/** Declares the options for the place of events. */
export function placeOptions(verb: Program): Program {
  return verb
    .option(
      "--to <folder>",
      "store them there, one file per day (default: on a branch)",
    )
    .option("--remote <name>", "where the branch is", "origin")
    .option("--branch <name>", "its name", "ci-history");
}

/** Returns the place of events that the options name. */
export function placeOf({ to, remote, branch }: PlaceFlags): EventSource {
  return to === undefined
    ? { kind: "branch", remote, branch }
    : { kind: "folder", path: to };
}
