import type { Command as Program } from "commander";
import type { Command } from "../command.js";
import { PLAN_ID } from "./options.js";

interface Flags {
  readonly plan: string;
  readonly planId?: string;
  readonly output: string;
}

/** Declares `trace`. */
export function addTrace(
  program: Program,
  emit: (command: Command) => void,
): void {
  program
    .command("trace")
    .description(
      "trace the units that a plan of the default branch selects, and write their evidence",
    )
    .option("--plan <file>", "the plan", "plan.json")
    .option(...PLAN_ID)
    .option(
      "-o, --output <file>",
      "where to write the evidence, for `history append --traces`",
      "traces.json",
    )
    .action((flags: Flags) =>
      emit({
        kind: "trace",
        plan: flags.plan,
        planId: flags.planId,
        output: flags.output,
      }),
    );
}
