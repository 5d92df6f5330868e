import { Option } from "commander";
import type { Command as Program } from "commander";
import type { VerdictCommand } from "../command.js";
import { LAYOUTS } from "../verdict/layout.js";
import type { Layout } from "../verdict/layout.js";
import { NAME, PLAN_ID } from "./options.js";

/** The options that commander passes to the action of a command that reads attestations. */
export interface JudgingFlags {
  readonly plan: string;
  readonly planId?: string;
  readonly attestations: string;
  readonly layout?: Layout["kind"];
  readonly name: string;
}

/** Declares the options of every command that reads attestations. */
export function judgingFlags(program: Program): Program {
  return program
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

/** Returns the members that the command uses. */
export function judging({
  plan,
  planId,
  attestations,
  layout,
  name,
}: JudgingFlags): Pick<
  VerdictCommand,
  "plan" | "planId" | "attestations" | "layout" | "name"
> {
  return { plan, planId, attestations, layout, name };
}
