import { Option } from "commander";
import type { Declare } from "@skein/reporting/command-line";
import type { Command, SelectOptions, TraceOptions } from "../command.js";
import {
  ALL,
  CONCURRENCY,
  select,
  splitOptions,
  TIMEOUT,
} from "./selection.js";

type Flags = SelectOptions & Omit<TraceOptions, "script">;

/** Declares `trace`. */
export const addTrace: Declare<Command> = (program, emit) => {
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
      .option("--check", "exit with 1 if selection misses a file", false)
      .option("--report <file>", "write a JSON report (version 1)")
      .option("--html <file>", "write a page with every file of every unit")
      .option(
        "--evidence <file>",
        "write the evidence of this run, for `list --evidence` on another machine",
      )
      .option("--json", "print the JSON report instead of the text", false),
  )
    .examples(
      "affected trace",
      "affected trace test --all --check --html reports/trace.html",
      "affected trace build --filter @acme/app --json",
    )
    .action((script: string, flags: Flags) => {
      const [options, own] = splitOptions(flags);
      emit({ kind: "trace", options, trace: { script, ...own } });
    });
};
