import { Command as Program } from "commander";
import type { CliWorld, ExitCode } from "@skein/reporting";
import { examples, parseCommandLine } from "@skein/reporting/command-line";
import { addExec } from "./cli/exec.js";
import { addHistory } from "./cli/history.js";
import { addLaunch } from "./cli/launch.js";
import { addMetrics } from "./cli/metrics.js";
import { addPlan } from "./cli/plan.js";
import { addPublish } from "./cli/publish.js";
import { addRetry } from "./cli/retry.js";
import { addRun } from "./cli/run.js";
import { addTrace } from "./cli/trace.js";
import { addVerdict } from "./cli/verdict.js";
import type { Command } from "./command.js";

/** All verbs, in the order of the help. */
const VERBS = [
  addRun,
  addPlan,
  addExec,
  addRetry,
  addVerdict,
  addPublish,
  addLaunch,
  addTrace,
  addHistory,
  addMetrics,
];

/**
 * Parses a command line. It prints help on stdout and errors on stderr.
 * @returns the command, or the exit code after printing help or an error
 */
export function parseCli(
  world: Pick<CliWorld, "argv" | "stdout" | "stderr">,
): Command | ExitCode {
  const program = new Program("ci-dispatch")
    .description(
      "Pack the tests that a change affects into CI jobs by measured time, run them alongside the application suite, and report one verdict.",
    )
    .usage("<command> [options]")
    .addHelpText("after", MORE);
  return parseCommandLine<Command>(
    { program, module: import.meta.url },
    VERBS,
    world,
  );
}

const MORE = `${examples(
  "ci-dispatch run                          runs CI's checks for this branch on this machine",
  "ci-dispatch plan --base origin/main --output plan.json",
  "ci-dispatch plan --affected affected.json --explain @acme/app",
  "ci-dispatch exec --plan plan.json --job packages-1",
  "ci-dispatch verdict --plan plan.json --attestations attestations",
)}

Exit codes: 0 green, 1 a test failed, 2 wrong usage, 3 could not finish.`;
