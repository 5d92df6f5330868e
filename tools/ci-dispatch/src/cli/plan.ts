import { Option } from "commander";
import type { Declare, Program } from "@skein/reporting/command-line";
import { versionAbove } from "@skein/reporting/version-above";
import type { Command, PipelineOptions, PlanCommand } from "../command.js";
import { PIPELINES, type PipelineEngine } from "../pipeline/pipeline.js";
import {
  BEGAN,
  changeOptions,
  NAME,
  planFlags,
  planOverrides,
} from "./options.js";
import type { PlanFlags } from "./options.js";

type Flags = PlanFlags &
  Omit<
    PlanCommand,
    "kind" | "change" | "overrides" | "artifacts" | "pipeline"
  > &
  Pick<PipelineOptions, "before" | "jobSettings"> & {
    readonly name: string;
    readonly pipeline?: PipelineEngine;
    readonly out?: string;
    readonly tool?: string;
  };

/** Declares `plan`. */
export const addPlan: Declare<Command> = (program, emit) => {
  planOptions(program.command("plan"))
    .description(
      "decide which jobs run which scripts, from the packages that a change affects",
    )
    .examples(
      "ci-dispatch plan --base origin/main --output plan.json",
      "ci-dispatch plan --affected affected.json --explain @acme/app",
      "ci-dispatch plan --pipeline gitlab --out child.yml",
    )
    .action((flags: Flags) => emit(planCommand(flags)));
};

/** Declares the options of `plan`. */
function planOptions(plan: Program): Program {
  planFlags(plan)
    .option(
      "--reuse <file>",
      "use this plan if the file exists, so that a re-run has the same jobs",
    )
    .option(
      "--index <folder>",
      "use the index of references in this folder, if the branch of --fetch-history has its digest, and write the new one there",
    )
    .optionsGroup("Output:")
    .option(
      "-o, --output <file>",
      "write the plan, as JSON (version 1); with --pipeline, plan.json by default",
    )
    .option(
      "--explain <job|package>",
      "print why a unit is in the plan, its job, and its history",
    )
    .option("--json", "print the plan as JSON instead of a table", false)
    .optionsGroup("Workflows of GitHub Actions:")
    .option(
      "--pools <json>",
      "the pools that have machines; a job for any other pool is rejected",
    )
    .option(
      "--no-matrix",
      "for `launch`: set no matrix, and allow --max-jobs above 256",
    )
    .option(...NAME)
    .option(...BEGAN);
  return pipelineOptions(plan);
}

/** Declares the options of the pipeline that `plan --pipeline` writes. */
function pipelineOptions(plan: Program): Program {
  return plan
    .optionsGroup("Pipelines of other engines:")
    .addOption(
      new Option(
        "--pipeline <engine>",
        "write the pipeline that runs the plan, for an engine other than GitHub Actions",
      ).choices(PIPELINES),
    )
    .option(
      "--out <file>",
      "the file that --pipeline writes (default: child.yml)",
    )
    .option(
      "--before <command>",
      "with --pipeline: the commands that prepare a checkout in the jobs that run tests",
      "corepack enable && yarn install --immutable",
    )
    .option(
      "--tool <command>",
      "with --pipeline: the command that runs this program in the judging job (default: npx with this version)",
    )
    .option(
      "--job-settings <file>",
      "with --pipeline: JSON with more fields for each job: image, tags, agents, plugins",
    );
}

/** Returns the command that flags ask for. */
function planCommand(flags: Flags): Command {
  return {
    kind: "plan",
    change: changeOptions(flags),
    overrides: planOverrides(flags),
    output: flags.output ?? (flags.pipeline && "plan.json"),
    pools: flags.pools,
    began: flags.began,
    reuse: flags.reuse,
    index: flags.index,
    explain: flags.explain,
    json: flags.json,
    artifacts: flags.name,
    matrix: flags.matrix,
    pipeline: flags.pipeline && {
      engine: flags.pipeline,
      out: flags.out ?? "child.yml",
      before: flags.before,
      tool:
        flags.tool ??
        // The command runs in an empty folder, so that no .npmrc and no program of the change affects it.
        `npx --yes --prefix "$(mktemp -d)" @skein/ci-dispatch@${versionAbove(import.meta.url)}`,
      jobSettings: flags.jobSettings,
    },
  };
}
