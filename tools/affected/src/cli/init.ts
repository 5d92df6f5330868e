import { InvalidArgumentError, Option } from "commander";
import { ENGINES } from "@skein/ci";
import type { Declare } from "@skein/reporting/command-line";
import type { Command, InitOptions } from "../command.js";

type Flags = Omit<InitOptions, "mode"> &
  Readonly<Partial<Record<"yes" | "dryRun" | "check", boolean>>>;

/** Declares `init`. */
export const addInit: Declare<Command> = (program, emit) => {
  program
    .command("init")
    .description(
      "set up a Yarn workspace (devDependencies, skein.json, workflows), after showing a diff",
    )
    .optionsGroup("What it writes:")
    .addOption(
      new Option("-y, --yes", "write without asking").conflicts([
        "dryRun",
        "check",
      ]),
    )
    .addOption(
      new Option("--dry-run", "only print the diff").conflicts("check"),
    )
    .option(
      "--check",
      "only report what is out of date; exit with 1 if anything is",
    )
    .option(
      "--json",
      "print the plan as JSON (version 1) instead of a diff",
      false,
    )
    .optionsGroup("What it sets up:")
    .option(
      "--plugin",
      "also install the Yarn plugin, which starts faster",
      false,
    )
    .option(
      "--from <checkout|range>",
      "where the tools come from: a checkout of Skein, or a range for package.json (default: this version)",
    )
    .option(
      "--pin <commit>",
      "the commit of Skein's workflows (default: that of this version's tag)",
      commitId,
    )
    .addOption(
      new Option(
        "--engine <name>",
        "the CI engine (default: detected from the repository's files)",
      ).choices(ENGINES),
    )
    .optionsGroup("Comparison with another tool:")
    .option(
      "--compare",
      "compare with Nx, Turborepo or lage over the last 50 commits (default: if Nx or Turborepo is installed)",
    )
    .option("--no-compare", "do not compare")
    .examples(
      "affected init",
      "affected init --dry-run",
      "affected init --yes --plugin",
      "affected init --check   in CI: checks that the setup is up to date",
    )
    .action(({ check, dryRun, yes, ...flags }: Flags) => {
      const mode = check ? "check" : dryRun ? "dry-run" : yes ? "write" : "ask";
      emit({ kind: "init", options: { mode, ...flags } });
    });
};

function commitId(text: string): string {
  if (!/^[0-9a-f]{40}$/.test(text))
    throw new InvalidArgumentError(
      "a commit's full id has 40 hexadecimal digits",
    );
  return text;
}
