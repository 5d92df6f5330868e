import type { Command as Program } from "commander";
import type { Command } from "../command.js";

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
    .action(({ verdict, author }: { verdict: string; author: string }) =>
      emit({ kind: "publish", verdict, author }),
    );
}
