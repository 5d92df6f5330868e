import type { Command as Program } from "commander";
import type { Command } from "../command.js";
import { changeOptions, planFlags, planOverrides, whole } from "./options.js";
import type { PlanFlags } from "./options.js";

interface Flags extends PlanFlags {
  readonly workers?: number;
  readonly directory?: string;
}

/** Declares `run`. */
export function addRun(
  program: Program,
  emit: (command: Command) => void,
): void {
  planFlags(program.command("run"))
    .description("plan, run every job and judge, on this machine")
    .option("--workers <n>", "jobs at a time (default: half the cores)", whole)
    .option(
      "--directory <folder>",
      "where to write plan, attestations and reports (default: a temporary folder)",
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
}
