import type { Declare } from "@skein/reporting/command-line";
import type { Command, Fields } from "../command.js";

/** Declares `audit`. */
export const addAudit: Declare<Command> = (program, emit) => {
  program
    .command("audit")
    .description("find dependencies that no package.json declares")
    .option("--check", "exit with 1 if any are found", false)
    .option("--fix", "declare them in package.json", false)
    .option("--json", "print them as JSON (version 1)", false)
    .examples(
      "affected audit",
      "affected audit --check",
      "affected audit --fix && yarn install",
    )
    .action((flags: Fields<"audit">) => emit({ kind: "audit", ...flags }));
};
