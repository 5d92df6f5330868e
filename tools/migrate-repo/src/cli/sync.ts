import type { Command as Program } from "commander";
import type { Command } from "../command.js";
import { examples } from "@skein/reporting/command-line";
import { JSON_EVENTS } from "./json-option.js";
import { GITHUB, PRS, TRANSPLANT } from "./pull-options.js";

interface SyncOptions {
  readonly ref?: string;
  readonly source?: string;
  readonly dryRun: boolean;
  readonly allowSecrets: boolean;
  readonly allowLfs: boolean;
  readonly prs: boolean;
  readonly transplant: boolean;
  readonly github?: string;
  readonly json: boolean;
}

/** Declares `sync`. */
export function defineSync(
  program: Program,
  choose: (command: Command) => void,
): void {
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
    .addHelpText(
      "after",
      examples(
        "migrate-repo sync @acme/lib --dry-run",
        "migrate-repo sync lib --transplant",
        "migrate-repo sync lib --ref main --source acme-inc/lib",
      ),
    )
    .action((name: string, options: SyncOptions) => {
      choose({
        kind: "sync",
        name,
        ...options,
        ref: options.ref,
        source: options.source,
        github: options.github,
      });
    });
}
