import type { Declare } from "@skein/reporting/command-line";
import type { Command, TraceCommand } from "../command.js";
import { PLAN_ID } from "./options.js";

/** Declares `trace`. */
export const addTrace: Declare<Command> = (program, emit) => {
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
    .examples(
      "ci-dispatch trace",
      "ci-dispatch trace --plan plan.json --output traces.json",
    )
    .action((flags: Omit<TraceCommand, "kind">) =>
      emit({ kind: "trace", ...flags }),
    );
};
