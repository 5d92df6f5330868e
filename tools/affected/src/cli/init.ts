import { InvalidArgumentError, Option } from "commander";
import type { Command as Program } from "commander";
import { ENGINES } from "@skein/ci";
import { examples } from "@skein/reporting/command-line";
import type { Command, InitOptions } from "../command.js";

interface Flags {
  readonly yes?: boolean;
  readonly dryRun?: boolean;
  readonly check?: boolean;
  readonly plugin?: boolean;
  readonly from?: string;
  readonly pin?: string;
  readonly engine?: InitOptions["engine"];
  readonly compare?: boolean;
  readonly json?: boolean;
}

/** Declares `init`. */
export function addInit(
  program: Program,
  emit: (command: Command) => void,
): void {
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
    .option("--json", "print the plan as JSON (version 1) instead of a diff")
    .optionsGroup("What it sets up:")
    .option("--plugin", "also install the Yarn plugin, which starts faster")
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
    .addHelpText(
      "after",
      examples(
        "affected init",
        "affected init --dry-run",
        "affected init --yes --plugin",
        "affected init --check   in CI: checks that the setup is up to date",
      ),
    )
    .action((flags: Flags) =>
      emit({
        kind: "init",
        options: {
          mode: flags.check
            ? "check"
            : flags.dryRun
              ? "dry-run"
              : flags.yes
                ? "write"
                : "ask",
          plugin: flags.plugin ?? false,
          from: flags.from,
          pin: flags.pin,
          engine: flags.engine,
          compare: flags.compare,
          json: flags.json ?? false,
        },
      }),
    );
}

function commitId(text: string): string {
  if (!/^[0-9a-f]{40}$/.test(text))
    throw new InvalidArgumentError(
      "a commit's full id has 40 hexadecimal digits",
    );
  return text;
}
