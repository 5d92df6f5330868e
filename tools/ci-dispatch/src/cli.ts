import { Command as Program, CommanderError } from "commander";
import { ExitCode } from "@skein/reporting";
import type { CliWorld } from "@skein/reporting";
import { addExec } from "./cli/exec.js";
import { addHistory } from "./cli/history.js";
import { addLaunch } from "./cli/launch.js";
import { addMetrics } from "./cli/metrics.js";
import { addPlan } from "./cli/plan.js";
import { addPublish } from "./cli/publish.js";
import { addRetry } from "./cli/retry.js";
import { addRun } from "./cli/run.js";
import { addVerdict } from "./cli/verdict.js";
import type { Command } from "./command.js";

/** What the words came to: a command, or nothing more to do (help was printed, or the words were wrong). */
export type Parsed =
  | { readonly kind: "command"; readonly command: Command }
  | { readonly kind: "done"; readonly exitCode: number };

/** Parses a command line. Help goes to stdout, a complaint to stderr. */
export async function parseCli({
  argv,
  stdout,
  stderr,
}: Pick<CliWorld, "argv" | "stdout" | "stderr">): Promise<Parsed> {
  let command: Command | undefined;
  const program = new Program("ci-dispatch")
    .description(
      "Test jobs for what a change affects, packed by measured time, next to the application suite, with one verdict.",
    )
    .usage("<command> [options]")
    .addHelpText("after", EXAMPLES)
    .showHelpAfterError("(ci-dispatch --help shows every command)");
  for (const add of [
    addRun,
    addPlan,
    addExec,
    addRetry,
    addVerdict,
    addPublish,
    addLaunch,
    addHistory,
    addMetrics,
  ])
    add(program, (parsed) => (command = parsed));
  program.exitOverride().configureOutput({
    writeOut: (text) => stdout.write(text),
    writeErr: (text) => stderr.write(text),
  });
  inherit(program);
  try {
    if (argv.length === 0) program.help({ error: true });
    await program.parseAsync([...argv], { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return {
      kind: "done",
      exitCode: error.exitCode === 0 ? ExitCode.Ok : ExitCode.Usage,
    };
  }
  if (!command) return { kind: "done", exitCode: ExitCode.Ok };
  return { kind: "command", command };
}

/** Verbs complain and end as the program does. */
function inherit(program: Program): void {
  for (const verb of program.commands) {
    verb.exitOverride().copyInheritedSettings(program);
    inherit(verb);
  }
}

const EXAMPLES = `
Examples:
  $ ci-dispatch run                          what CI would say of this branch, on this machine
  $ ci-dispatch plan --base origin/main --output plan.json
  $ ci-dispatch plan --affected affected.json --explain @acme/app
  $ ci-dispatch exec --plan plan.json --job packages-1
  $ ci-dispatch verdict --plan plan.json --attestations attestations

Exit codes: 0 green, 1 a test failed, 2 wrong usage, 3 could not finish.
`;
