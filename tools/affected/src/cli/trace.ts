import { Option, type Command as Program } from "commander";
import { examples } from "@skein/reporting/command-line";
import type { Command, TraceOptions } from "../command.js";
import {
  ALL,
  CONCURRENCY,
  select,
  selectOptions,
  TIMEOUT,
} from "./selection.js";
import type { SelectFlags } from "./selection.js";

interface Flags extends SelectFlags {
  readonly all?: boolean;
  readonly check?: boolean;
  readonly concurrency?: number;
  readonly timeout?: number;
  readonly recorder: TraceOptions["recorder"];
  readonly json?: boolean;
  readonly report?: string;
  readonly html?: string;
  readonly evidence?: string;
}

/** Declares `trace`. */
export function addTrace(
  program: Program,
  emit: (command: Command) => void,
): void {
  select(
    program
      .command("trace")
      .description(
        "run a script as `run` does, record every file that it reads, and report the files that selection misses",
      )
      .argument("[script]", "the name of a script in package.json", "test")
      .optionsGroup("Which packages:")
      .option(...ALL)
      .optionsGroup("How scripts run:")
      .option(...CONCURRENCY)
      .option(...TIMEOUT)
      .addOption(
        new Option(
          "--recorder <how>",
          "`auto` uses strace if it works, otherwise Node's hooks",
        )
          .choices(["auto", "hooks"])
          .default("auto"),
      )
      .optionsGroup("Output:")
      .option("--check", "exit with 1 if selection misses a file")
      .option("--report <file>", "write a JSON report (version 1)")
      .option("--html <file>", "write a page with every file of every unit")
      .option(
        "--evidence <file>",
        "write the evidence of this run, for `list --evidence` on another machine",
      )
      .option("--json", "print the JSON report instead of the text"),
  )
    .addHelpText(
      "after",
      examples(
        "affected trace",
        "affected trace test --all --check --html reports/trace.html",
        "affected trace build --filter @acme/app --json",
      ),
    )
    .action((script: string, flags: Flags) =>
      emit({
        kind: "trace",
        options: selectOptions(flags),
        trace: {
          script,
          all: flags.all ?? false,
          check: flags.check ?? false,
          concurrency: flags.concurrency,
          timeout: flags.timeout,
          recorder: flags.recorder,
          json: flags.json ?? false,
          report: flags.report,
          html: flags.html,
          evidence: flags.evidence,
        },
      }),
    );
}
