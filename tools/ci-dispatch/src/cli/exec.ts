import { Option } from "commander";
import { whole, type Declare } from "@skein/reporting/command-line";
import type { Command, ExecCommand } from "../command.js";
import { ATTEMPT, PLAN_ID } from "./options.js";

/** Declares `exec`. */
export const addExec: Declare<Command> = (program, emit) => {
  program
    .command("exec")
    .description("run one job of a plan, and attest its results")
    .optionsGroup("The job:")
    .requiredOption("--job <id>", "the job")
    .option("--plan <file>", "the plan", "plan.json")
    .option(...PLAN_ID)
    .option(...ATTEMPT)
    .option(
      "--machine <n>",
      "the number of this machine within the attempt: 2 for a job that `ci-dispatch retry` selected",
      whole,
      1,
    )
    .option(
      "--setup-began <ms>",
      "when the machine's first step began, in milliseconds since 1970; the time until now is attested",
      whole,
    )
    .optionsGroup("How scripts run:")
    .option(
      "-j, --concurrency <n>",
      "the number of scripts to run at once; the plan assumes one",
      whole,
      1,
    )
    .optionsGroup("Output:")
    .option(
      "--attestations <folder>",
      "where to write the attestation",
      "attestations",
    )
    .addOption(
      new Option("--output <what>", "whose output to print")
        .choices(["full", "failed", "none"])
        .default("failed"),
    )
    .examples(
      "ci-dispatch exec --job packages-1",
      "ci-dispatch exec --plan plan.json --job application-2 --output full",
    )
    .action((flags: Omit<ExecCommand, "kind">) =>
      emit({ kind: "exec", ...flags }),
    );
};
