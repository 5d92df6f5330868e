import { Option, type Command as Program } from "commander";
import { examples } from "@skein/reporting/command-line";
import type { Command } from "../command.js";
import { filterOption } from "./selection.js";

interface Flags {
  readonly head?: string;
  readonly filter: readonly string[];
  readonly json?: boolean;
  readonly explain?: string;
  readonly diff?: string;
}

/** Declares `fingerprint`. */
export function addFingerprint(
  program: Program,
  emit: (command: Command) => void,
): void {
  program
    .command("fingerprint")
    .description(
      "print a hash of everything that the result of a script depends on, package by package",
    )
    .argument("[script]", "the name of a script in package.json", "test")
    .option("--head <ref>", "read this commit (default: the working tree)")
    .addOption(filterOption())
    .addOption(
      new Option(
        "--explain <package>",
        "print the fields of one package with all their inputs",
      ).conflicts("filter"),
    )
    .option(
      "--diff <ref>",
      "print the first field and input in which each package differs from this commit",
    )
    .option("--json", "print the output as JSON (version 1)")
    .addHelpText(
      "after",
      examples(
        "affected fingerprint",
        "affected fingerprint build --head origin/main --json",
        "affected fingerprint test --explain @acme/app",
        "affected fingerprint test --diff HEAD~1",
      ),
    )
    .action((script: string, flags: Flags) =>
      emit({
        kind: "fingerprint",
        fingerprint: {
          script,
          head: flags.head,
          filter: flags.filter,
          json: flags.json ?? false,
          explain: flags.explain,
          diff: flags.diff,
        },
      }),
    );
}
