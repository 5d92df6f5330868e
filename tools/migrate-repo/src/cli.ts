import { Command as Program } from "commander";
import type { CliWorld, ExitCode } from "@skein/reporting";
import { examples, parseCommandLine } from "@skein/reporting/command-line";
import { defineAdd } from "./cli/add.js";
import { defineManifest } from "./cli/manifest.js";
import { defineNamed, defineRecover } from "./cli/named.js";
import { defineSync } from "./cli/sync.js";
import { defineVersions } from "./cli/versions.js";
import type { Command } from "./command.js";

/** Every verb, in the order of the help. */
const VERBS = [
  defineAdd,
  defineManifest,
  defineVersions,
  defineSync,
  defineNamed,
  defineRecover,
];

/**
 * Parses a command line. It writes help to stdout and errors to stderr.
 * @returns the command; or the exit code, if help was printed or the usage was wrong
 */
export function parseCli(
  world: Pick<CliWorld, "argv" | "stdout" | "stderr">,
): Command | ExitCode {
  const program = new Program("migrate-repo")
    .description(
      "Move a repository into this workspace, with all of its history.",
    )
    .helpCommand(false)
    .addHelpText("after", MORE);
  return parseCommandLine<Command>(
    { program, module: import.meta.url },
    VERBS,
    world,
  );
}

const MORE = `${examples(
  "migrate-repo add https://github.com/acme/lib --dry-run   prints the plan, writes nothing",
  "migrate-repo add acme/lib --to packages/lib              merges its history, and registers its packages",
  "migrate-repo apply migrations.json                       migrates many repositories, declared in a file",
  "migrate-repo sync @acme/lib                              merges new commits from its source",
)}

Exit codes: 0 done, 1 a script or a check failed, 2 wrong usage or refused, 3 refused or could not finish.`;
