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
    .requiredOption(
      "--verdict <file>",
      "the file written by `verdict --report`",
    )
    .option(
      "--author <login>",
      "the login that GITHUB_TOKEN writes as",
      "github-actions[bot]",
    )
    .option(...NAME)
    .option("--plan <file>", "also show the prediction of this plan")
    .option(
      "--metrics <file>",
      "also show the trailing P90 from this output of `metrics report --json`",
    )
    .action(({ verdict, author, name, plan, metrics }: Flags) =>
      emit({ kind: "publish", verdict, author, name, plan, metrics }),
    );
}
