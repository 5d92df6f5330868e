import type { Command as Program } from "commander";
import type { Command } from "../command.js";
import { examples } from "@skein/reporting/command-line";
import { JSON_EVENTS } from "./json-option.js";
import { GITHUB, PRS, TRANSPLANT } from "./pull-options.js";

interface SyncOptions {
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
    .description("Brings the commits that the source has made since.")
    .option("--dry-run", "say what would come, and write nothing", false)
    .option(
      "--allow-secrets",
      "go on although new commits hold a credential",
      false,
    )
    .option(
      "--allow-lfs",
      "bring new pointers of Git LFS without their objects",
      false,
    )
    .option(...PRS)
    .option(...TRANSPLANT)
    .option(...GITHUB)
    .option(...JSON_EVENTS)
    .addHelpText(
      "after",
      examples(
        "migrate-repo sync @acme/lib --dry-run",
        "migrate-repo sync lib --transplant",
      ),
    )
    .action((name: string, options: SyncOptions) => {
      choose({ kind: "sync", name, ...options, github: options.github });
    });
}
