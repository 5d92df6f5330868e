import type { Command as Program } from "commander";
import type { Command } from "../command.js";
import { changeOptions, planFlags, planOverrides } from "./options.js";
import type { PlanFlags } from "./options.js";

interface Flags extends PlanFlags {
  readonly output?: string;
  readonly reuse?: string;
  readonly explain?: string;
  readonly json?: boolean;
  readonly matrix: boolean;
}

/** Declares `plan`. */
export function addPlan(
  program: Program,
  emit: (command: Command) => void,
): void {
  planFlags(program.command("plan"))
    .description("decide which jobs run what, from what a change affects")
    .option("-o, --output <file>", "write the plan, as JSON (version 1)")
    .option(
      "--reuse <file>",
      "take this plan as it is where the file is there: a re-run keeps its jobs",
    )
    .option(
      "--explain <job|package>",
      "print why it is here, in which job, and from which history",
    )
    .option(
      "--no-matrix",
      "for `launch`: no matrix is set, and --max-jobs may be above 256",
    )
    .option("--json", "print the plan as JSON instead of a table")
    .action((flags: Flags) =>
      emit({
        kind: "plan",
        change: changeOptions(flags),
        overrides: planOverrides(flags),
        output: flags.output,
        reuse: flags.reuse,
        explain: flags.explain,
        json: flags.json ?? false,
        matrix: flags.matrix,
      }),
    );
}
