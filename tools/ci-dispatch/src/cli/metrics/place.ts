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
      "the folder to store them in, one file per day (default: a branch)",
    )
    .option("--remote <name>", "the remote with the branch", "origin")
    .option("--branch <name>", "the branch's name", "ci-history");
}

/** Returns the place of events that the options name. */
export function placeOf({ to, remote, branch }: PlaceFlags): EventSource {
  return to === undefined
    ? { kind: "branch", remote, branch }
    : { kind: "folder", path: to };
}
