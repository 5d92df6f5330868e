import type { Command as Program } from "commander";
import { examples } from "@skein/reporting/command-line";
import type { Command } from "../command.js";

interface Flags {
  readonly check?: boolean;
  readonly fix?: boolean;
  readonly json?: boolean;
}

/** Declares `audit`. */
export function addAudit(
  program: Program,
  emit: (command: Command) => void,
): void {
  program
    .command("audit")
    .description("find dependencies that no package.json declares")
    .option("--check", "exit with 1 if any are found")
    .option("--fix", "declare them in package.json")
    .option("--json", "print them as JSON (version 1)")
    .addHelpText(
      "after",
      examples(
        "affected audit",
        "affected audit --check",
        "affected audit --fix && yarn install",
      ),
    )
    .action((flags: Flags) =>
      emit({
        kind: "audit",
        check: flags.check ?? false,
        fix: flags.fix ?? false,
        json: flags.json ?? false,
      }),
    );
}
