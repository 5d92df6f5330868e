import type { Command as Program } from "commander";
import type { Command } from "../command.js";
import { whole } from "./options.js";

interface Flags {
  readonly plan: string;
  readonly workflow: string;
  readonly ref: string;
  readonly state: string;
  readonly repo?: string;
  readonly concurrency: number;
  readonly interval: number;
}

/** Declares `launch`. */
export function addLaunch(
  program: Program,
  emit: (command: Command) => void,
): void {
  program
    .command("launch")
    .description(
      "start a workflow run for each job of a plan through the API, and watch them; run it again to go on",
    )
    .option("--plan <file>", "the plan", "plan.json")
    .requiredOption(
      "--workflow <file>",
      "its name; it takes the inputs id, job and plan, and shows id as its run-name",
    )
    .requiredOption("--ref <branch>", "whose workflow file it is")
    .option("--state <file>", "what was asked for and seen", "launch.json")
    .option("--repo <owner/name>", "where (default: GITHUB_REPOSITORY)")
    .option("--concurrency <n>", "requests at the same time", whole, 4)
    .option("--interval <seconds>", "between two looks", whole, 15)
    .action((flags: Flags) =>
      emit({
        kind: "launch",
        plan: flags.plan,
        workflow: flags.workflow,
        ref: flags.ref,
        state: flags.state,
        repository: flags.repo,
        concurrency: flags.concurrency,
        interval: flags.interval,
      }),
    );
}
