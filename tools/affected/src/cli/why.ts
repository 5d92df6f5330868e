import type { Command as Program } from "commander";
import { examples } from "@skein/reporting/command-line";
import type { Command } from "../command.js";
import { compare, SCRIPT, selectOptions } from "./selection.js";
import type { SelectFlags } from "./selection.js";

interface Flags extends SelectFlags {
  readonly script?: string;
  readonly all?: boolean;
  readonly json?: boolean;
}

const WORDS = {
  why: "print the shortest path from a changed file to a package",
  "why-not": "print why a package is not affected",
} as const;

/** Declares `why` or `why-not`. */
export function adderOfWhy(kind: "why" | "why-not") {
  return (program: Program, emit: (command: Command) => void): void => {
    compare(
      program
        .command(kind)
        .description(WORDS[kind])
        .argument(
          "<package>",
          "its name, a unique ending of its name, or its folder",
        )
        .optionsGroup("Which packages:")
        .option(...SCRIPT)
        .optionsGroup("Output:")
        .option("--all", "print every path (at most 100)")
        .option("--json", "print it as JSON (version 1)"),
    )
      .addHelpText(
        "after",
        examples(
          `affected ${kind} @acme/app`,
          `affected ${kind} @acme/app --script test`,
          `affected ${kind} packages/app --base origin/main --json`,
        ),
      )
      .action((workspace: string, flags: Flags) =>
        emit({
          kind,
          workspace,
          script: flags.script,
          options: selectOptions(flags),
          all: flags.all ?? false,
          json: flags.json ?? false,
        }),
      );
  };
}
