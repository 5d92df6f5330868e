import { InvalidArgumentError } from "commander";
import {
  whole,
  type Declare,
  type Program,
} from "@skein/reporting/command-line";
import type { Command, LaunchCommand, LaunchTarget } from "../command.js";

type WatchFlags = Omit<LaunchCommand, "kind" | "target" | "watch">;
type LaunchFlags = WatchFlags &
  Pick<LaunchCommand, "watch"> &
  Pick<LaunchTarget, "workflow" | "ref" | "retries"> & {
    readonly repo?: string;
    readonly input: LaunchTarget["inputs"];
  };

/** Declares `launch` and `watch`. */
export const addLaunch: Declare<Command> = (program, emit) => {
  const launch = program
    .command("launch")
    .description(
      "start a workflow run for each job of a plan through the API, watch the runs, and judge; run it again to continue",
    )
    .optionsGroup("The workflow:")
    .requiredOption(
      "--workflow <file>",
      "the workflow file; it needs the inputs id, job, machine and plan, and id in its run-name",
    )
    .requiredOption(
      "--ref <branch>",
      "the branch or tag with the workflow file",
    )
    .option(
      "--repo <owner/name>",
      "the repository (default: GITHUB_REPOSITORY)",
    )
    .option(
      "--input <name=value>",
      "an additional input for every run; may be repeated",
      input,
      {},
    )
    .optionsGroup("Waiting and retrying:")
    .option(
      "--retries <n>",
      "how often a job may get another machine; only for failed machines and known flakes",
      count,
      1,
    )
    .option(
      "--no-watch",
      "start the runs without waiting; `watch` does the rest",
    )
    .examples(
      "ci-dispatch launch --workflow job.yml --ref main --input run=$GITHUB_RUN_ID",
      "ci-dispatch launch --workflow job.yml --ref main --no-watch",
    );
  watchFlags(launch).action(
    ({ workflow, ref, repo, input, retries, ...flags }: LaunchFlags) =>
      emit({
        kind: "launch",
        ...flags,
        target: { workflow, ref, repository: repo, inputs: input, retries },
      }),
  );
  const watch = program
    .command("watch")
    .description(
      "continue a launch: watch its runs, give jobs other machines, and judge",
    )
    .examples(
      "ci-dispatch watch",
      "ci-dispatch watch --plan plan.json --state launch.json --interval 30",
    );
  watchFlags(watch).action((flags: WatchFlags) =>
    emit({ kind: "launch", ...flags, watch: true, target: undefined }),
  );
};

function watchFlags(program: Program): Program {
  return program
    .optionsGroup("Waiting and retrying:")
    .option(
      "--while-head <branch>",
      "cancel everything when this branch is no longer at the plan's commit",
    )
    .option("--concurrency <n>", "requests at the same time", whole, 4)
    .option("--interval <seconds>", "the time between two polls", whole, 15)
    .option(
      "--lost-after <seconds>",
      "how long to wait for a run to appear before starting it again",
      whole,
      300,
    )
    .option("--timeout <minutes>", "when to cancel everything", whole, 360)
    .optionsGroup("Files and output:")
    .option("--plan <file>", "the plan", "plan.json")
    .option(
      "--state <file>",
      "the file with the state of the launch",
      "launch.json",
    )
    .option(
      "--attestations <folder>",
      "where to write the runs' attestations",
      "attestations",
    )
    .option("--report <file>", "write the verdict as JSON")
    .option(
      "--json",
      "print the events as NDJSON (version 1), one per line; the last one is the verdict",
      false,
    );
}

/** The inputs that the launcher always sends. */
const OWN = ["id", "job", "machine", "plan"];

function input(
  text: string,
  all: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const at = text.indexOf("=");
  const name = text.slice(0, Math.max(0, at));
  if (name === "") throw new InvalidArgumentError("It must be name=value.");
  if (OWN.includes(name))
    throw new InvalidArgumentError(`The input ${name} is always sent.`);
  return { ...all, [name]: text.slice(at + 1) };
}

/** Parses a whole number, including 0. */
function count(text: string): number {
  return text === "0" ? 0 : whole(text);
}
