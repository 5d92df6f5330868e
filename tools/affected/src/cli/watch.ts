import type { Command as Program } from "commander";
import { examples } from "@skein/reporting/command-line";
import type { Command, RunOptions } from "../command.js";
import {
  CONCURRENCY,
  outputOption,
  select,
  selectOptions,
  TIMEOUT,
} from "./selection.js";
import type { SelectFlags } from "./selection.js";

interface Flags extends SelectFlags {
  readonly concurrency?: number;
  readonly output: RunOptions["output"];
  readonly timeout?: number;
  readonly includeRoot?: boolean;
  readonly cache: boolean;
  readonly batch?: boolean;
}

/** Declares `watch`. */
export function addWatch(
  program: Program,
  emit: (command: Command) => void,
): void {
  select(
    program
      .command("watch")
      .description(
        "run a script as `run` does, then rerun it in each package that a saved file affects, until Ctrl-C",
      )
      .argument("<script>", "the name of a script in package.json")
      .argument("[args...]", "arguments after -- are passed to the script")
      .optionsGroup("Which packages:")
      .option("--include-root", "also run the root's own script")
      .optionsGroup("How scripts run:")
      .option(...CONCURRENCY)
      .option(...TIMEOUT)
      .option("--no-batch", "start Jest separately for each package")
      .option("--no-cache", "neither replay nor store results")
      .addOption(outputOption()),
  )
    .addHelpText(
      "after",
      examples(
        "affected watch test",
        "affected watch lint --filter @acme/app",
        "affected watch test --files-from /dev/null   runs nothing before a save",
      ),
    )
    .action((script: string, args: string[], flags: Flags) => {
      emit({
        kind: "watch",
        options: selectOptions(flags),
        run: {
          script,
          args,
          concurrency: flags.concurrency,
          bail: false,
          output: flags.output,
          timeout: flags.timeout,
          junit: undefined,
          report: undefined,
          includeRoot: flags.includeRoot ?? false,
          ifPresent: true,
          dryRun: false,
          json: false,
          verbose: false,
          all: false,
          cache: flags.cache ? "on" : "off",
          batch: flags.batch ?? true,
        },
      });
    });
}
