import type { Program } from "@skein/reporting/command-line";
import type { EventSource } from "../../metrics/action.js";

/** The options that commander passes to the action of a command that uses the branch of the history. */
export interface BranchFlags {
  readonly remote: string;
  readonly branch: string;
}

/** The options that commander passes to the action of a command that stores events. */
export interface PlaceFlags extends BranchFlags {
  readonly to?: string;
}

/** Declares the options for the branch of the history. */
export function branchOptions(verb: Program): Program {
  return verb
    .option("--remote <name>", "the remote with the branch", "origin")
    .option("--branch <name>", "the branch's name", "ci-history");
}

/** Declares the options for the place to store events in. */
export function placeOptions(verb: Program): Program {
  return branchOptions(
    verb.option(
      "--to <folder>",
      "the folder to store them in, one file per day (default: a branch)",
    ),
  );
}

/** Declares the options for the place to read events from. */
export function storeOptions(verb: Program): Program {
  return branchOptions(
    verb.option(
      "--store <folder>",
      "a folder of NDJSON events, plain or compressed (default: the branch ci-history)",
    ),
  );
}

/** Returns the place of events that the options name. */
export function placeOf(
  folder: string | undefined,
  { remote, branch }: BranchFlags,
): EventSource {
  return folder === undefined
    ? { kind: "branch", remote, branch }
    : { kind: "folder", path: folder };
}
