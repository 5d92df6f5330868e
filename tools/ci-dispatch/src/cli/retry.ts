import type { Declare } from "@skein/reporting/command-line";
import type { Command, RetryCommand } from "../command.js";
import { judgingFlags } from "./judging.js";
import { ATTEMPT } from "./options.js";

/** Declares `retry`. */
export const addRetry: Declare<Command> = (program, emit) => {
  judgingFlags(program.command("retry"))
    .description(
      "print the jobs that are red only because of their machines or known flakes, as a matrix for `exec --machine 2`",
    )
    .option(...ATTEMPT)
    .optionsGroup("Output:")
    .option("--json", "print them as JSON (version 1) instead of text", false)
    .examples(
      "ci-dispatch retry",
      "ci-dispatch retry --plan plan.json --attestations attestations --json",
    )
    .action((flags: Omit<RetryCommand, "kind">) =>
      emit({ kind: "retry", ...flags }),
    );
};
