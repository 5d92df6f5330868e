import type { Command as Program } from "commander";
import type { Command } from "../command.js";
import { judging, judgingFlags } from "./judging.js";
import type { JudgingFlags } from "./judging.js";
import { ATTEMPT } from "./options.js";

interface Flags extends JudgingFlags {
  readonly attempt?: number;
  readonly json?: boolean;
}

/** Declares `retry`. */
export function addRetry(
  program: Program,
  emit: (command: Command) => void,
): void {
  judgingFlags(program.command("retry"))
    .description(
      "print the jobs that are red only because of their machines or known flakes, as a matrix for `exec --machine 2`",
    )
    .option(...ATTEMPT)
    .option("--json", "print them as JSON (version 1) instead of text")
    .addHelpText(
      "after",
      `
Examples:
  $ ci-dispatch retry
  $ ci-dispatch retry --plan plan.json --attestations attestations --json
`,
    )
    .action((flags: Flags) =>
      emit({
        kind: "retry",
        ...judging(flags),
        attempt: flags.attempt,
        json: flags.json ?? false,
      }),
    );
}
