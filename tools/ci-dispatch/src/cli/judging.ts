import type { Program } from "@skein/reporting/command-line";
import { Option } from "commander";
import { LAYOUTS } from "../verdict/layout.js";
import { NAME, PLAN_ID } from "./options.js";

/** Declares the options of every command that reads attestations. */
export function judgingFlags(program: Program): Program {
  return program
    .optionsGroup("What is judged:")
    .option("--plan <file>", "the plan", "plan.json")
    .option(...PLAN_ID)
    .option(
      "--attestations <folder>",
      "the folder with the attestations of all jobs, in any subfolder",
      "attestations",
    )
    .addOption(
      new Option(
        "--layout <what>",
        "artifacts: an attestation counts only in the folder of its job's artifact; files: in any place (default: artifacts in GitHub Actions, else files)",
      ).choices(LAYOUTS),
    )
    .option(...NAME);
}
