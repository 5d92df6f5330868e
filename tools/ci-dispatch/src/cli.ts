import type { CliWorld, ExitCode } from "@skein/reporting";
import {
  examples,
  parseCommandLine,
  Program,
} from "@skein/reporting/command-line";
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
    {
      program,
      module: import.meta.url,
      groups: GROUPS,
      exitCodes: EXIT_CODES,
    },
    VERBS,
    world,
  );
}

const MORE = examples(
  "ci-dispatch run     runs CI's checks for this branch on this machine",
  "ci-dispatch plan --base origin/main --output plan.json",
  "ci-dispatch plan --affected affected.json --explain @acme/app",
  "ci-dispatch exec --plan plan.json --job packages-1",
  "ci-dispatch verdict --plan plan.json --attestations attestations",
);

/** The commands below each heading of the help. */
const GROUPS = {
  "Test a change:": ["run", "plan", "exec", "retry", "verdict", "publish"],
  "Start workflow runs through the API:": ["launch", "watch"],
  "Records of the default branch:": ["trace", "history", "metrics"],
};

const DONE = { 0: "done", 2: "wrong usage", 3: "could not finish" };
const JUDGED = {
  0: "green: every unit passed",
  1: "red: a test failed, or a script could not run",
  2: "wrong usage",
  3: "red: something is missing, or only infrastructure failed",
};
const UNREAD = "some events could not be read";

/** The exit codes in the help, by verb. */
const EXIT_CODES = {
  "": {
    0: "green",
    1: "a test failed",
    2: "wrong usage",
    3: "could not finish",
  },
  run: JUDGED,
  plan: { ...DONE, 0: "planned, even if there are no jobs" },
  exec: {
    ...JUDGED,
    0: "every unit passed",
    1: "a test failed, or a script could not run",
    3: "could not finish, or only infrastructure failed",
  },
  retry: DONE,
  verdict: JUDGED,
  publish: DONE,
  launch: JUDGED,
  watch: JUDGED,
  trace: DONE,
  history: DONE,
  metrics: DONE,
  "metrics sync": {
    ...DONE,
    0: "everything was read",
    3: "it stopped early; everything read so far is stored",
  },
  "metrics report": {
    ...DONE,
    0: "ok",
    1: "above the budget",
    3: `${UNREAD}, or the budget can't be judged (too few pull requests have ended, or there is no event in the 7 days before the window ends)`,
  },
  "metrics compare": { ...DONE, 3: UNREAD },
  "metrics export": { ...DONE, 3: `${UNREAD} or written` },
  completion: { 0: "done", 2: "wrong usage" },
};
