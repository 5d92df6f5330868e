import { Option } from "commander";
import type { Declare } from "@skein/reporting/command-line";
import type { Command, FingerprintOptions } from "../command.js";
import { filterOption } from "./selection.js";

/** Declares `fingerprint`. */
export const addFingerprint: Declare<Command> = (program, emit) => {
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
    .option("--json", "print the output as JSON (version 1)", false)
    .examples(
      "affected fingerprint",
      "affected fingerprint build --head origin/main --json",
      "affected fingerprint test --explain @acme/app",
      "affected fingerprint test --diff HEAD~1",
    )
    .action((script: string, flags: Omit<FingerprintOptions, "script">) =>
      emit({ kind: "fingerprint", fingerprint: { script, ...flags } }),
    );
};
