import type { Command as Program } from "commander";
import { examples } from "@skein/reporting/command-line";
import type { Command } from "../command.js";
import { compare, SCRIPT, selectOptions } from "./selection.js";
import type { SelectFlags } from "./selection.js";

interface Flags extends SelectFlags {
  readonly script?: string;
  readonly targetBranch?: string;
}

/** Declares `targets`. */
export function addTargets(
  program: Program,
  emit: (command: Command) => void,
): void {
  compare(program.command("targets"))
    .description(
      "print the packages that a pull request affects, as a request body for Trunk's merge queue",
    )
    .optionsGroup("Other options:")
    .option(...SCRIPT)
    .option(
      "--target-branch <name>",
      "the branch that it is merged into (default: the event's)",
    )
    .addHelpText(
      "after",
      examples(
        "affected targets                      in a pull request's run",
        "affected targets --pr acme/shop#42 --target-branch main",
      ),
    )
    .action((flags: Flags) =>
      emit({
        kind: "targets",
        options: selectOptions(flags),
        script: flags.script,
        targetBranch: flags.targetBranch,
      }),
    );
}
