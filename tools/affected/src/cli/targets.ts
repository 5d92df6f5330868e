import type { Declare } from "@skein/reporting/command-line";
import type { Command, Fields, SelectOptions } from "../command.js";
import { compare, SCRIPT, splitOptions } from "./selection.js";

/** Declares `targets`. */
export const addTargets: Declare<Command> = (program, emit) => {
  compare(program.command("targets"))
    .description(
      "print the packages that a pull request affects, as a request body for Trunk's merge queue",
    )
    .optionsGroup("Other options:")
    .option(...SCRIPT)
    .option(
      "--target-branch <name>",
      "the base branch of the pull request (default: from the event)",
    )
    .examples(
      "affected targets                      in a pull request's run",
      "affected targets --pr acme/shop#42 --target-branch main",
    )
    .action((flags: SelectOptions & Fields<"targets">) => {
      const [options, own] = splitOptions(flags);
      emit({ kind: "targets", options, ...own });
    });
};
