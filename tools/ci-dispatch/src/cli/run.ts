import { whole, type Declare } from "@skein/reporting/command-line";
import type { Command, RunCommand } from "../command.js";
import { changeOptions, planFlags, planOverrides } from "./options.js";
import type { PlanFlags } from "./options.js";

type Flags = PlanFlags & Pick<RunCommand, "workers" | "directory">;

/** Declares `run`. */
export const addRun: Declare<Command> = (program, emit) => {
  planFlags(program.command("run"))
    .description("plan, run every job and judge, on this machine")
    .optionsGroup("The run:")
    .option("--workers <n>", "jobs at a time (default: half the cores)", whole)
    .option(
      "--directory <folder>",
      "where to write plan, attestations and reports (default: a temporary folder)",
    )
    .examples(
      "ci-dispatch run",
      "ci-dispatch run --base origin/release --workers 2",
    )
    .action((flags: Flags) =>
      emit({
        kind: "run",
        change: changeOptions(flags),
        overrides: planOverrides(flags),
        workers: flags.workers,
        directory: flags.directory,
      }),
    );
};
