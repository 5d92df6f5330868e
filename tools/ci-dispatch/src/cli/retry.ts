import type { Command as Program } from "commander";
import type { Command } from "../command.js";
import { ATTEMPT } from "./options.js";

interface Flags {
  readonly plan: string;
  readonly attestations: string;
  readonly attempt?: number;
  readonly json?: boolean;
}

/** Declares `retry`. */
export function addRetry(
  program: Program,
  emit: (command: Command) => void,
): void {
  program
    .command("retry")
    .description(
      "name the jobs that are red only because of their machines or of known flakes, as a matrix for `exec --machine 2`",
    )
    .option("--plan <file>", "the plan", "plan.json")
    .option(
      "--attestations <folder>",
      "where the attestations of all jobs are, folders below it too",
      "attestations",
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
        plan: flags.plan,
        attestations: flags.attestations,
        attempt: flags.attempt,
        json: flags.json ?? false,
      }),
    );
}
