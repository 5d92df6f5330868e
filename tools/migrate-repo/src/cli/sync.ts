import type { Command } from "../command.js";
import type { Declare } from "@skein/reporting/command-line";
import { JSON_EVENTS } from "./json-option.js";
import { GITHUB, PRS, TRANSPLANT } from "./pull-options.js";

type Flags = Omit<Extract<Command, { kind: "sync" }>, "kind" | "name">;

/** Declares `sync`. */
export const defineSync: Declare<Command> = (program, emit) => {
  program
    .command("sync")
    .argument("<name>", "the package's name, as it was migrated")
    .description(
      "merge the commits that were added to the source since the last run",
    )
    .optionsGroup("Source:")
    .option(
      "--ref <branch>",
      "from now on, the source's branch, if it was renamed (default: the branch of the last run)",
    )
    .option(
      "--source <address>",
      "from now on, the source's address, if it moved (default: the address of the last run)",
    )
    .optionsGroup("Refusals:")
    .option(
      "--allow-secrets",
      "continue even if new commits contain a credential",
      false,
    )
    .option(
      "--allow-lfs",
      "merge new Git LFS pointers without their objects",
      false,
    )
    .optionsGroup("Open pull requests:")
    .option(...PRS)
    .option(...TRANSPLANT)
    .option(...GITHUB)
    .optionsGroup("Output:")
    .option("--dry-run", "show what would change, and write nothing", false)
    .option(...JSON_EVENTS)
    .examples(
      "migrate-repo sync @acme/lib --dry-run",
      "migrate-repo sync lib --transplant",
      "migrate-repo sync lib --ref main --source acme-inc/lib",
    )
    .action((name: string, flags: Flags) =>
      emit({ kind: "sync", name, ...flags }),
    );
};
