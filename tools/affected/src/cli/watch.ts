import type { Declare } from "@skein/reporting/command-line";
import type { Command, RunOptions, SelectOptions } from "../command.js";
import {
  CONCURRENCY,
  outputOption,
  select,
  splitOptions,
  TIMEOUT,
} from "./selection.js";

type Flags = SelectOptions &
  Pick<
    RunOptions,
    "concurrency" | "output" | "timeout" | "includeRoot" | "batch"
  > & { readonly cache: boolean };

/** Declares `watch`. */
export const addWatch: Declare<Command> = (program, emit) => {
  select(
    program
      .command("watch")
      .description(
        "run a script as `run` does, then rerun it in each package that a saved file affects, until Ctrl-C",
      )
      .argument("<script>", "the name of a script in package.json")
      .argument("[args...]", "arguments after -- are passed to the script")
      .optionsGroup("Which packages:")
      .option("--include-root", "also run the root's own script", false)
      .optionsGroup("How scripts run:")
      .option(...CONCURRENCY)
      .option(...TIMEOUT)
      .option("--no-batch", "start Jest separately for each package")
      .option("--no-cache", "neither replay nor store results")
      .addOption(outputOption()),
  )
    .examples(
      "affected watch test",
      "affected watch lint --filter @acme/app",
      "affected watch test --files-from /dev/null   runs nothing before a save",
    )
    .action((script: string, args: string[], flags: Flags) => {
      const [options, { cache, ...own }] = splitOptions(flags);
      emit({
        kind: "watch",
        options,
        run: {
          script,
          args,
          bail: false,
          junit: undefined,
          report: undefined,
          ifPresent: true,
          dryRun: false,
          json: false,
          verbose: false,
          all: false,
          cache: cache ? "on" : "off",
          ...own,
        },
      });
    });
};
