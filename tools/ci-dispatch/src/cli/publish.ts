import type { Command as Program } from "commander";
import type { Command } from "../command.js";
import { NAME } from "./options.js";

interface Flags {
  readonly verdict: string;
  readonly author: string;
  readonly name: string;
  readonly plan?: string;
  readonly metrics?: string;
}

/** Declares `publish`. */
export function addPublish(
  program: Program,
  emit: (command: Command) => void,
): void {
  program
    .command("publish")
    .description(
      "show a verdict on GitHub: a check with annotations, and one comment that is edited in place",
    )
    .requiredOption("--verdict <file>", "what `verdict --report` wrote")
    .option(
      "--author <login>",
      "under which the token in GITHUB_TOKEN writes",
      "github-actions[bot]",
    )
    .option(...NAME)
    .option("--plan <file>", "show what this plan predicted")
    .option(
      "--metrics <file>",
      "show the trailing P90 of what `metrics report --json` wrote",
    )
    .action(({ verdict, author, name, plan, metrics }: Flags) =>
      emit({ kind: "publish", verdict, author, name, plan, metrics }),
    );
}
