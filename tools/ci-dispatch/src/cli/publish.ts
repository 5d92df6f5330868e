import type { Declare } from "@skein/reporting/command-line";
import type { Command, PublishCommand } from "../command.js";
import { NAME } from "./options.js";

/** Declares `publish`. */
export const addPublish: Declare<Command> = (program, emit) => {
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
    .examples(
      "ci-dispatch publish --verdict verdict.json",
      "ci-dispatch publish --verdict verdict.json --plan plan.json",
    )
    .action((flags: Omit<PublishCommand, "kind">) =>
      emit({ kind: "publish", ...flags }),
    );
};
