import { InvalidArgumentError } from "commander";
import type { Command as Program } from "commander";
import type { Command, LaunchCommand } from "../command.js";
import { whole } from "./options.js";

interface WatchFlags {
  readonly plan: string;
  readonly state: string;
  readonly attestations: string;
  readonly whileHead?: string;
  readonly concurrency: number;
  readonly interval: number;
  readonly lostAfter: number;
  readonly timeout: number;
  readonly report?: string;
  readonly json?: boolean;
}
interface LaunchFlags extends WatchFlags {
  readonly workflow: string;
  readonly ref: string;
  readonly repo?: string;
  readonly input: Readonly<Record<string, string>>;
  readonly retries: number;
  readonly watch: boolean;
}

/** Declares `launch` and `watch`. */
export function addLaunch(
  program: Program,
  emit: (command: Command) => void,
): void {
  const launch = program
    .command("launch")
    .description(
      "start a workflow run for each job of a plan through the API, watch the runs, and judge; run it again to continue",
    )
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
    .addHelpText(
      "after",
      `
Examples:
  $ ci-dispatch launch --workflow job.yml --ref main --repo acme/app --input plan-run=$GITHUB_RUN_ID
  $ ci-dispatch launch --workflow job.yml --ref main --no-watch && ci-dispatch watch
`,
    );
  watchFlags(launch).action((flags: LaunchFlags) =>
    emit({
      ...commandOf(flags),
      watch: flags.watch,
      target: {
        workflow: flags.workflow,
        ref: flags.ref,
        repository: flags.repo,
        inputs: flags.input,
        retries: flags.retries,
      },
    }),
  );
  const watch = program
    .command("watch")
    .description(
      "continue a launch: watch its runs, give jobs other machines, and judge",
    )
    .addHelpText(
      "after",
      `
Examples:
  $ ci-dispatch watch
  $ ci-dispatch watch --plan plan.json --state launch.json --interval 30
`,
    );
  watchFlags(watch).action((flags: WatchFlags) =>
    emit({ ...commandOf(flags), watch: true, target: undefined }),
  );
}

function watchFlags(program: Program): Program {
  return program
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
    .option("--report <file>", "write the verdict as JSON")
    .option(
      "--json",
      "print the events as NDJSON (version 1), one per line; the last one is the verdict",
    );
}

function commandOf(flags: WatchFlags): Omit<LaunchCommand, "target" | "watch"> {
  return {
    kind: "launch",
    plan: flags.plan,
    state: flags.state,
    attestations: flags.attestations,
    whileHead: flags.whileHead,
    concurrency: flags.concurrency,
    interval: flags.interval,
    lostAfter: flags.lostAfter,
    timeout: flags.timeout,
    report: flags.report,
    json: flags.json ?? false,
  };
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
