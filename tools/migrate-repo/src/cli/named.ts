import type { Command } from "../command.js";
import type { Declare } from "@skein/reporting/command-line";
import { JSON_EVENTS } from "./json-option.js";

const NAMED = {
  verify:
    "prove again that nothing from the source is missing from the workspace's history",
  finish:
    "check that the source can be archived, and print the remaining tasks there",
  undo: "undo a landed migration, with its tags and its record, if nothing was committed on top",
} as const;

/** The verbs without arguments, with two examples each. */
const RECOVERY = {
  continue: [
    "continue after you have resolved a conflict, or after a crash",
    "git add -A && migrate-repo continue",
    "migrate-repo continue",
  ],
  abort: [
    "undo an unfinished migration or sync, and restore the workspace",
    "migrate-repo abort",
    "migrate-repo abort && git status",
  ],
} as const;

/** Declares the verbs for a migration that was interrupted: `continue`, `abort`. */
export const defineRecover: Declare<Command> = (program, emit) => {
  for (const kind of ["continue", "abort"] as const) {
    const [description, ...lines] = RECOVERY[kind];
    program
      .command(kind)
      .description(description)
      .option(...JSON_EVENTS)
      .examples(...lines)
      .action(({ json }: { json: boolean }) => {
        emit({ kind, json });
      });
  }
};

/** Declares the verbs whose only argument is the name of a migration: `verify`, `finish`, `undo`. */
export const defineNamed: Declare<Command> = (program, emit) => {
  for (const kind of ["verify", "finish", "undo"] as const)
    program
      .command(kind)
      .argument("<name>", "the package's name, as it was migrated")
      .description(NAMED[kind])
      .option(...JSON_EVENTS)
      .examples(`migrate-repo ${kind} @acme/lib`, `migrate-repo ${kind} lib`)
      .action((name: string, { json }: { json: boolean }) => {
        emit({ kind, name, json });
      });
};
